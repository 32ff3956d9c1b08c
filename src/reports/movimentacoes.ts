import type { Table } from './table.ts';

export const movimentacoesTable: Table = {
  name: 'movimentacoes-estoque',
  title: 'Movimentações de estoque',
  columns: [
    { title: 'Código', path: 'id', type: 'integer', width: 10 },
    { title: 'Data', path: 'data', type: 'timestamp', width: 20 },
    { title: 'Tipo', path: 'tipoMovimentacao.descricao', type: 'text', width: 18 },
    { title: 'Estorno', path: 'flEstorno', type: 'text', width: 9 },
    { title: 'Situação', path: 'statusMovimentacao.descricao', type: 'text', width: 14 },
    { title: 'Material', path: 'lote.material.titulo', type: 'text', width: 40 },
    { title: 'Número CAS', path: 'lote.material.numeroCas', type: 'text', width: 14 },
    { title: 'Lote', path: 'lote.codLote', type: 'text', width: 20 },
    { title: 'Vencimento', path: 'lote.dataVenc', type: 'date', width: 12 },
    { title: 'Quantidade', path: 'quantidade', type: 'integer', width: 12 },
    { title: 'Unidade de medida', path: 'lote.material.unidadeMedida.sigla', type: 'text', width: 18 },
    { title: 'Origem: responsável', path: 'localOrigemFim.nome', type: 'text', width: 36 },
    { title: 'Origem: armazenamento', path: 'localOrigemArm.nome', type: 'text', width: 36 },
    { title: 'Destino: responsável', path: 'localDestinoFim.nome', type: 'text', width: 36 },
    { title: 'Destino: armazenamento', path: 'localDestinoArm.nome', type: 'text', width: 36 },
    { title: 'Nota fiscal', path: 'notaFiscal.numeroNf', type: 'text', width: 20 },
    { title: 'Observação', path: 'observacao', type: 'text', width: 40 },
    { title: 'Estornado', path: 'quantidadeEstornada', type: 'integer', width: 12 },
  ],
};
