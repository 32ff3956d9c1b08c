import type { Table } from './table.ts';

export const lotesTable: Table = {
  name: 'lotes',
  title: 'Lotes',
  columns: [
    { title: 'Código', path: 'id', type: 'integer', width: 10 },
    { title: 'Lote', path: 'codLote', type: 'text', width: 20 },
    { title: 'Material', path: 'material.titulo', type: 'text', width: 40 },
    { title: 'Descrição do material', path: 'material.descricao', type: 'text', width: 60 },
    { title: 'Número CAS', path: 'material.numeroCas', type: 'text', width: 14 },
    { title: 'Fabricante', path: 'fabricante.nome', type: 'text', width: 36 },
    { title: 'Vencimento', path: 'dataVenc', type: 'date', width: 12 },
    { title: 'Quantidade recebida', path: 'quantidade', type: 'integer', width: 20 },
    { title: 'Unidade de medida', path: 'material.unidadeMedida.sigla', type: 'text', width: 18 },
    { title: 'Local responsável', path: 'local.nome', type: 'text', width: 36 },
    { title: 'Local de armazenamento', path: 'localDestino.nome', type: 'text', width: 36 },
    { title: 'Motivo', path: 'motivo', type: 'text', width: 40 },
    { title: 'Criado em', path: 'criadoEm', type: 'timestamp', width: 20 },
  ],
};
