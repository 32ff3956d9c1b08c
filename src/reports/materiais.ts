import type { Table } from './table.ts';

export const materiaisTable: Table = {
  name: 'materiais',
  title: 'Materiais',
  columns: [
    { title: 'Código', path: 'id', type: 'integer', width: 10 },
    { title: 'Título', path: 'titulo', type: 'text', width: 40 },
    { title: 'Descrição', path: 'descricao', type: 'text', width: 60 },
    { title: 'CATMAT', path: 'catmat', type: 'text', width: 12 },
    { title: 'Número CAS', path: 'numeroCas', type: 'text', width: 14 },
    { title: 'Estado físico', path: 'estadoFisico', type: 'text', width: 14 },
    { title: 'Unidade de medida', path: 'unidadeMedida.sigla', type: 'text', width: 18 },
    { title: 'Tipo de controle', path: 'tipoControle.descricao', type: 'text', width: 24 },
    { title: 'Órgão controlador', path: 'tipoControle.orgaoControlador', type: 'text', width: 30 },
    { title: 'FISPQ', path: 'fispq', type: 'text', width: 30 },
    { title: 'Link da FISPQ', path: 'linkFispq', type: 'text', width: 30 },
    { title: 'Criado em', path: 'criadoEm', type: 'timestamp', width: 20 },
    { title: 'Alterado em', path: 'alteradoEm', type: 'timestamp', width: 20 },
  ],
};
