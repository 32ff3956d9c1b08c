import { Arg, Args, Field, InputType, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { createRecord, deleteRecord, updateRecord } from '../../domain/records.ts';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../../entities/almoxarifado/risco-material.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { References } from '../../validation.ts';
import { AuthorsInput } from '../authors.ts';
import { TheCall, type Call } from '../call.ts';

const CONTROLLER = 'almoxarifadoquimicos/riscos-material';
const RiscosMaterialPage = Page(RiscoMaterial);

@List(() => RiscoMaterial, { paging: 'never' })
export class RiscosMaterialArgs extends ListArgs {}

@InputType({ description: 'That a material has a hazard.' })
export class RiscoMaterialInput extends AuthorsInput {
  @Field(() => Int, { description: 'Hazard class' })
  @References(() => ClassificacaoRisco)
  idClassificacaoRisco!: number;

  @Field(() => Int, { description: 'Material that has the hazard' })
  @References(() => Material)
  idMaterial!: number;
}

@Resolver()
export class RiscoMaterialResolver {
  @Query(() => RiscosMaterialPage, { description: 'Hazards of materials' })
  @Requires(CONTROLLER, 1)
  riscosMaterial(
    @Args(() => RiscosMaterialArgs) args: RiscosMaterialArgs,
    @TheCall() call: Call,
  ): Promise<Page<RiscoMaterial>> {
    return call.page(args);
  }

  @Query(() => RiscoMaterial, {
    nullable: true,
    description: 'One hazard of a material; null when there is none with this id',
  })
  @Requires(CONTROLLER, 1)
  riscoMaterial(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<RiscoMaterial | null> {
    return call.one(RiscoMaterial, id);
  }

  @Mutation(() => RiscoMaterial, { description: 'Says that a material has a hazard' })
  @Requires(CONTROLLER, 2)
  criarRiscoMaterial(
    @Arg('input', () => RiscoMaterialInput) input: RiscoMaterialInput,
    @TheCall() call: Call,
  ): Promise<RiscoMaterial> {
    return createRecord(call, RiscoMaterial, input);
  }

  @Mutation(() => RiscoMaterial, { description: 'Changes a hazard of a material' })
  @Requires(CONTROLLER, 2)
  atualizarRiscoMaterial(
    @Arg('id', () => Int) id: number,
    @Arg('input', () => RiscoMaterialInput) input: RiscoMaterialInput,
    @TheCall() call: Call,
  ): Promise<RiscoMaterial> {
    return updateRecord(call, RiscoMaterial, id, input);
  }

  @Mutation(() => RiscoMaterial, { description: 'Takes a hazard from a material and answers it as it stood' })
  @Requires(CONTROLLER, 2)
  excluirRiscoMaterial(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<RiscoMaterial> {
    return deleteRecord(call, RiscoMaterial, id);
  }
}
