import { InputType } from 'type-graphql';
import { underMaterial } from '../../domain/hazards.ts';
import { RiscoMaterial } from '../../entities/almoxarifado/risco-material.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => RiscoMaterial, { paging: 'optional' })
export class RiscosMaterialArgs extends ListArgs {}

@InputType({ description: 'That a material has a hazard.' })
export class RiscoMaterialInput extends AuthorsInput {
  @FieldOf(RiscoMaterial) idClassificacaoRisco!: number;
  @FieldOf(RiscoMaterial) idMaterial!: number;
}

export const RiscoMaterialResolver = resource(RiscoMaterial, 'almoxarifadoquimicos/riscos-material', {
  riscosMaterial: list(RiscosMaterialArgs, 'Hazards of materials'),
  riscoMaterial: one('One hazard of a material; null when there is none with this id'),
  criarRiscoMaterial: create(RiscoMaterialInput, 'Adds a hazard of a material', underMaterial),
  atualizarRiscoMaterial: update(RiscoMaterialInput, 'Changes a hazard of a material', underMaterial),
  excluirRiscoMaterial: remove('Deletes a hazard of a material and answers it as it stood', underMaterial),
});
