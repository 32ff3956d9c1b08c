import { Field, InputType, Int } from 'type-graphql';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../../entities/almoxarifado/risco-material.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

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

export const RiscoMaterialResolver = resource(RiscoMaterial, 'almoxarifadoquimicos/riscos-material', {
  riscosMaterial: list(RiscosMaterialArgs, 'Hazards of materials'),
  riscoMaterial: one('One hazard of a material; null when there is none with this id'),
  criarRiscoMaterial: create(RiscoMaterialInput, 'Adds a hazard of a material'),
  atualizarRiscoMaterial: update(RiscoMaterialInput, 'Changes a hazard of a material'),
  excluirRiscoMaterial: remove('Deletes a hazard of a material and answers it as it stood'),
});
