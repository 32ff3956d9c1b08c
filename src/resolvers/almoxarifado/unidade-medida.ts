import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

@List(() => UnidadeMedida, { paging: 'optional' })
export class UnidadesMedidaArgs extends ListArgs {}

export const UnidadeMedidaResolver = resource(UnidadeMedida, 'almoxarifadoquimicos/unidades-medida', {
  unidadesMedida: list(UnidadesMedidaArgs, 'Units in which materials are counted'),
  unidadeMedida: one('One unit; null when there is none with this id'),
});
