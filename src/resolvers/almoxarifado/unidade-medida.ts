import { InputType } from 'type-graphql';
import { UNIT, warning } from '../../domain/control-warnings.ts';
import { changeUnit } from '../../domain/material-changes.ts';
import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { list, one, resource, update } from '../resource.ts';

@List(() => UnidadeMedida, { paging: 'optional' })
export class UnidadesMedidaArgs extends ListArgs {}

@InputType({
  description:
    'The unit in which quantities are reported to the Federal Police. The unit itself is imported.',
})
export class UnidadeMedidaInput {
  @FieldOf(UnidadeMedida) unidadeControle?: UnidadeMedida['unidadeControle'];
  @FieldOf(UnidadeMedida) fatorControle?: number | null;
}

export const UnidadeMedidaResolver = resource(UnidadeMedida, 'almoxarifadoquimicos/unidades-medida', {
  unidadesMedida: list(UnidadesMedidaArgs, 'Units in which materials are counted'),
  unidadeMedida: one('One unit; null when there is none with this id'),
  atualizarUnidadeMedida: update(
    UnidadeMedidaInput,
    'Changes how a unit is reported to the Federal Police',
    warning(UNIT, changeUnit),
  ),
});
