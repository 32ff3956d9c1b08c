import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

@List(() => TipoControle, { paging: 'optional' })
export class TiposControleArgs extends ListArgs {}

export const TipoControleResolver = resource(TipoControle, 'almoxarifadoquimicos/tipos-controle', {
  tiposControle: list(TiposControleArgs, 'Legal controls under which materials stand'),
  tipoControle: one('One legal control; null when there is none with this id'),
});
