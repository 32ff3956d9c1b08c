import { IsNotEmpty, MaxLength } from 'class-validator';
import { Arg, Args, Field, InputType, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { createRecord, deleteRecord, updateRecord } from '../../domain/records.ts';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { References } from '../../validation.ts';
import { AuthorsInput } from '../authors.ts';
import { TheCall, type Call } from '../call.ts';

const CONTROLLER = 'almoxarifadoquimicos/classificacoes-risco';
const ClassificacoesRiscoPage = Page(ClassificacaoRisco);

@List(() => ClassificacaoRisco, { paging: 'optional' })
export class ClassificacoesRiscoArgs extends ListArgs {
  @OrderBy('iconeRisco.nome') orderByPictograma?: Ordem;
  @OrderBy('risco') orderByRisco?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
}

@InputType({ description: 'A hazard class.' })
export class ClassificacaoRiscoInput extends AuthorsInput {
  @Field(() => Int, { description: 'Pictogram that shows it' })
  @References(() => IconeRisco)
  idIconeRisco!: number;

  @Field(() => String, { description: 'Name of the hazard' })
  @IsNotEmpty()
  @MaxLength(200)
  risco!: string;

  @Field(() => String, { nullable: true, description: 'What it means for whoever handles the material' })
  @MaxLength(1000)
  descricao?: string | null;
}

@Resolver()
export class ClassificacaoRiscoResolver {
  @Query(() => ClassificacoesRiscoPage, { description: 'Hazard classes' })
  @Requires(CONTROLLER, 1)
  classificacoesRisco(
    @Args(() => ClassificacoesRiscoArgs) args: ClassificacoesRiscoArgs,
    @TheCall() call: Call,
  ): Promise<Page<ClassificacaoRisco>> {
    return call.page(args);
  }

  @Query(() => ClassificacaoRisco, {
    nullable: true,
    description: 'One hazard class; null when there is none with this id',
  })
  @Requires(CONTROLLER, 1)
  classificacaoRisco(
    @Arg('id', () => Int) id: number,
    @TheCall() call: Call,
  ): Promise<ClassificacaoRisco | null> {
    return call.one(ClassificacaoRisco, id);
  }

  @Mutation(() => ClassificacaoRisco, { description: 'Adds a hazard class' })
  @Requires(CONTROLLER, 2)
  criarClassificacaoRisco(
    @Arg('input', () => ClassificacaoRiscoInput) input: ClassificacaoRiscoInput,
    @TheCall() call: Call,
  ): Promise<ClassificacaoRisco> {
    return createRecord(call, ClassificacaoRisco, input);
  }

  @Mutation(() => ClassificacaoRisco, { description: 'Changes a hazard class' })
  @Requires(CONTROLLER, 2)
  atualizarClassificacaoRisco(
    @Arg('id', () => Int) id: number,
    @Arg('input', () => ClassificacaoRiscoInput) input: ClassificacaoRiscoInput,
    @TheCall() call: Call,
  ): Promise<ClassificacaoRisco> {
    return updateRecord(call, ClassificacaoRisco, id, input);
  }

  @Mutation(() => ClassificacaoRisco, { description: 'Deletes a hazard class and answers it as it stood' })
  @Requires(CONTROLLER, 2)
  excluirClassificacaoRisco(
    @Arg('id', () => Int) id: number,
    @TheCall() call: Call,
  ): Promise<ClassificacaoRisco> {
    return deleteRecord(call, ClassificacaoRisco, id);
  }
}
