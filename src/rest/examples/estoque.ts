import type { Examples } from './example.ts';

const batch = { id_material: 1, id_fabricante: 1, cod_lote: 'AB2611-0815', data_venc: '2028-11-30' };
const arrival = { ...batch, quantidade: 12, id_local: 1 };
const invoice = {
  numero_nf: '250815',
  id_transportadora: 7,
  id_fornecedor: 5,
  data_emissao: '2026-11-16',
  data_recebimento: '2026-11-20',
  processo_sei: '23080.012345/2026-11',
};

/** Bodies for stock, its movements and the monthly map. */
export const estoque: Examples = {
  'POST /almoxarifadoquimicos/aprova-movimentacoes': {
    body: { id_movimentacao: 1520 },
  },
  'POST /almoxarifadoquimicos/estoques': {
    body: { id_lote: 2, id_local_fim: 2, id_local_armazenado: 2, quantidade: 5 },
  },
  'POST /almoxarifadoquimicos/lotes': { body: { ...arrival, notas_fiscais: [{ id_nota_fiscal: 1 }] } },
  'PUT /almoxarifadoquimicos/lotes/{id}': { parameters: { id: 1 }, body: batch },
  'POST /almoxarifadoquimicos/notas-fiscais': {
    body: { ...invoice, lotes: [{ ...arrival, cod_lote: 'AB2611-0816' }] },
  },
  'PUT /almoxarifadoquimicos/notas-fiscais/{id}': {
    parameters: { id: 3 },
    body: { ...invoice, numero_nf: '65922' },
  },
  'POST /almoxarifadoquimicos/item-nota-fiscal': { body: { id_nota_fiscal: 2, id_lote: 1 } },
  'PUT /almoxarifadoquimicos/item-nota-fiscal/{id}': {
    parameters: { id: 1 },
    body: { id_nota_fiscal: 3, id_lote: 1 },
  },
  'POST /almoxarifadoquimicos/movimentacoes-estoque': {
    body: {
      movimentacoes: [
        {
          id_lote: 43,
          id_tipo_movimentacao: 3,
          id_local_origem_fim: 1,
          id_local_destino_fim: 3,
          quantidade: 1,
          observacao: 'Aula prática de titulação',
          fl_estorno: 'N',
        },
      ],
    },
  },
  'PUT /almoxarifadoquimicos/movimentacoes-estoque/{id}': {
    parameters: { id: 1521 },
    body: { id_lote: 135, id_local_origem_fim: 1, quantidade: 1, fl_estorno: 'N' },
  },
  'POST /almoxarifadoquimicos/mapa-mensal/fechar': { body: { ano: 2026, mes: 10 } },
  'POST /almoxarifadoquimicos/mapa-mensal/reabrir': {
    body: { ano: 2026, mes: 10, motivo: 'Nota fiscal registrada com atraso' },
  },
  'POST /almoxarifadoquimicos/mapa-mensal/registrar-envio': {
    body: { ano: 2026, mes: 10, protocolo: '2026.11.0042' },
  },
};
