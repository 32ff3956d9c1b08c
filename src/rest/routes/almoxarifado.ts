import { lotesTable } from '../../reports/lotes.ts';
import { movimentacoesTable } from '../../reports/movimentacoes.ts';
import { materiaisTable } from '../../reports/materiais.ts';
import { area, del, get, post, put } from '../route.ts';

/** An update must give them, but may send back the null of a record that was imported. */
const authors = ['criadoPor', 'alteradoPor'];

export const almoxarifado = area('/almoxarifadoquimicos', [
  get('/aprova-movimentacoes', 'solicitacoesAprovacao'),
  post('/aprova-movimentacoes', 'aprovarMovimentacao', {
    turns: { rejeitar: 'rejeitarMovimentacao' },
    status: 200,
  }),
  get('/aprova-movimentacoes/{id}', 'solicitacaoAprovacao'),

  get('/materiais', 'materiais', { exports: materiaisTable }),
  post('/materiais', 'criarMaterial', { required: authors }),
  get('/materiais/{id}', 'material'),
  put('/materiais/{id}', 'atualizarMaterial', { present: ['alteradoPor'] }),
  del('/materiais/{id}', 'excluirMaterial'),

  get('/classificacoes-risco', 'classificacoesRisco'),
  post('/classificacoes-risco', 'criarClassificacaoRisco', { required: authors }),
  get('/classificacoes-risco/{id}', 'classificacaoRisco'),
  put('/classificacoes-risco/{id}', 'atualizarClassificacaoRisco', { present: authors }),
  del('/classificacoes-risco/{id}', 'excluirClassificacaoRisco'),

  get('/icones-risco', 'iconesRisco'),
  post('/icones-risco', 'criarIconeRisco'),
  get('/icones-risco/{id}', 'iconeRisco'),
  put('/icones-risco/{id}', 'atualizarIconeRisco'),
  del('/icones-risco/{id}', 'excluirIconeRisco'),

  get('/riscos-material', 'riscosMaterial'),
  post('/riscos-material', 'criarRiscoMaterial', { required: authors }),
  get('/riscos-material/{id}', 'riscoMaterial'),
  put('/riscos-material/{id}', 'atualizarRiscoMaterial', { present: ['alteradoPor'] }),
  del('/riscos-material/{id}', 'excluirRiscoMaterial'),

  get('/tipos-empresas', 'tiposEmpresa'),
  post('/tipos-empresas', 'criarTipoEmpresa'),
  get('/tipos-empresas/{id}', 'tipoEmpresa'),
  put('/tipos-empresas/{id}', 'atualizarTipoEmpresa'),
  del('/tipos-empresas/{id}', 'excluirTipoEmpresa'),

  get('/empresas', 'empresas'),
  post('/empresas', 'criarEmpresa', { required: authors, present: ['cnpj'] }),
  get('/empresas/{id}', 'empresa'),
  put('/empresas/{id}', 'atualizarEmpresa', { present: authors }),
  del('/empresas/{id}', 'excluirEmpresa'),

  get('/estoques', 'estoques', {
    spelled: { orderByCatmat: 'orderByCatMat', orderByUnidadeMedida: 'OrderByUnidadeMedida' },
    shownOn: { lote: 'comLote' },
  }),
  post('/estoques', 'criarEstoque'),
  get('/estoques/{id}:{id_local_fim}:{id_local_armazenado}', 'estoque', {
    spelled: { idLote: 'id', idLocalFim: 'id_local_fim', idLocalArmazenado: 'id_local_armazenado' },
  }),

  get('/lotes', 'lotes', { exports: lotesTable }),
  post('/lotes', 'criarLote'),
  get('/lotes/{id}', 'lote'),
  put('/lotes/{id}', 'atualizarLote'),
  del('/lotes/{id}', 'excluirLote'),

  get('/notas-fiscais', 'notasFiscais', { spelled: { orderByNumeroNf: 'orderByNumeroNF' } }),
  post('/notas-fiscais', 'criarNotaFiscal'),
  get('/notas-fiscais/{id}', 'notaFiscal'),
  put('/notas-fiscais/{id}', 'atualizarNotaFiscal'),
  del('/notas-fiscais/{id}', 'excluirNotaFiscal'),

  get('/item-nota-fiscal', 'itensNotaFiscal'),
  post('/item-nota-fiscal', 'criarItemNotaFiscal'),
  get('/item-nota-fiscal/{id}:{idNotaFiscal}', 'itemNotaFiscal'),
  put('/item-nota-fiscal/{id}', 'atualizarItemNotaFiscal'),
  del('/item-nota-fiscal/{id}', 'excluirItemNotaFiscal'),

  get('/movimentacoes-estoque', 'movimentacoesEstoque', { exports: movimentacoesTable }),
  post('/movimentacoes-estoque', 'criarMovimentacoesEstoque', { required: ['movimentacoes'] }),
  get('/movimentacoes-estoque/{id}', 'movimentacaoEstoque'),
  put('/movimentacoes-estoque/{id}', 'atualizarMovimentacaoEstoque'),
  del('/movimentacoes-estoque/{id}', 'excluirMovimentacaoEstoque'),

  get('/locais', 'locais', {
    shownOn: { tecnicos: 'trazerTecnicos' },
    onlyWith: { idResponsavel: 'trazerTecnicos' },
  }),
  get('/locais/{id}', 'local', { shownOn: { tecnicos: 'trazerTecnicos' } }),

  get('/responsaveis-laboratorio', 'responsaveisLaboratorio'),
  post('/responsaveis-laboratorio', 'criarResponsavelLaboratorio'),
  get('/responsaveis-laboratorio/{id}', 'responsavelLaboratorio'),
  put('/responsaveis-laboratorio/{id}', 'atualizarResponsavelLaboratorio'),

  get('/tipos-movimentacao', 'tiposMovimentacao'),
  get('/tipos-movimentacao/{id}', 'tipoMovimentacao'),
  get('/status-movimentacao', 'listaStatusMovimentacao'),
  get('/status-movimentacao/{id}', 'statusMovimentacao'),

  get('/unidades-medida', 'unidadesMedida'),
  get('/unidades-medida/{id}', 'unidadeMedida'),

  get('/tipos-controle', 'tiposControle'),
  get('/tipos-controle/{id}', 'tipoControle'),
]);
