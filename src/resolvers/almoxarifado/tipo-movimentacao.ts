import { TipoMovimentacao } from '../../entities/almoxarifado/tipo-movimentacao.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

@List(() => TipoMovimentacao, { paging: 'optional' })
export class TiposMovimentacaoArgs extends ListArgs {}

export const TipoMovimentacaoResolver = resource(
  TipoMovimentacao,
  'almoxarifadoquimicos/tipos-movimentacao',
  {
    tiposMovimentacao: list(TiposMovimentacaoArgs, 'Kinds of stock movement'),
    tipoMovimentacao: one('One kind of movement; null when there is none with this id'),
  },
);
