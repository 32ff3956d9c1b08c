import { StatusMovimentacao } from '../../entities/almoxarifado/status-movimentacao.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { list, one, resource } from '../resource.ts';

@List(() => StatusMovimentacao, { paging: 'optional' })
export class ListaStatusMovimentacaoArgs extends ListArgs {}

export const StatusMovimentacaoResolver = resource(
  StatusMovimentacao,
  'almoxarifadoquimicos/status-movimentacao',
  {
    listaStatusMovimentacao: list(ListaStatusMovimentacaoArgs, 'States of stock movements'),
    statusMovimentacao: one('One state of movements; null when there is none with this id'),
  },
);
