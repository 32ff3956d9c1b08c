import { InputType, Int } from 'type-graphql';
import {
  addSubstance,
  changeSubstance,
  MATERIALS_CONTROLLER,
  removeSubstance,
} from '../../domain/material-changes.ts';
import { warningOfMixtures } from '../../domain/mixture-warnings.ts';
import { SubstanciaControlada } from '../../entities/almoxarifado/substancia-controlada.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => SubstanciaControlada, { paging: 'optional' })
export class SubstanciasControladasArgs extends ListArgs {
  @Filter(() => Int, 'idMaterial') idMaterial?: number;
  @Filter(() => String, 'codigoPf', { match: 'exact' }) codigoPf?: string;
}

@InputType({ description: 'A controlled chemical in a mixture.' })
export class SubstanciaControladaInput {
  @FieldOf(SubstanciaControlada) idMaterial!: number;
  @FieldOf(SubstanciaControlada) codigoPf!: string;
  @FieldOf(SubstanciaControlada) concentracao!: number;
}

export const SubstanciaControladaResolver = resource(SubstanciaControlada, MATERIALS_CONTROLLER, {
  substanciasControladas: list(SubstanciasControladasArgs, 'Controlled chemicals in mixtures'),
  substanciaControlada: one('One controlled chemical of a mixture; null when there is none with this id'),
  criarSubstanciaControlada: create(
    SubstanciaControladaInput,
    'Says that a mixture has a controlled chemical',
    warningOfMixtures(addSubstance),
  ),
  atualizarSubstanciaControlada: update(
    SubstanciaControladaInput,
    'Changes a controlled chemical of a mixture',
    warningOfMixtures(changeSubstance),
  ),
  excluirSubstanciaControlada: remove(
    'Says that a mixture has this chemical no more',
    warningOfMixtures(removeSubstance),
  ),
});
