import { materiaisTable } from '../../reports/materiais.ts';
import { area, del, get, post, put } from '../route.ts';

const authors = ['criadoPor', 'alteradoPor'];

export const almoxarifado = area('/almoxarifadoquimicos', [
  get('/materiais', 'materiais', { exports: materiaisTable }),
  post('/materiais', 'criarMaterial', { required: authors }),
  get('/materiais/{id}', 'material'),
  put('/materiais/{id}', 'atualizarMaterial', { required: ['alteradoPor'] }),
  del('/materiais/{id}', 'excluirMaterial'),

  get('/classificacoes-risco', 'classificacoesRisco'),
  post('/classificacoes-risco', 'criarClassificacaoRisco', { required: authors }),
  get('/classificacoes-risco/{id}', 'classificacaoRisco'),
  put('/classificacoes-risco/{id}', 'atualizarClassificacaoRisco', { required: authors }),
  del('/classificacoes-risco/{id}', 'excluirClassificacaoRisco'),

  get('/icones-risco', 'iconesRisco'),
  post('/icones-risco', 'criarIconeRisco'),
  get('/icones-risco/{id}', 'iconeRisco'),
  put('/icones-risco/{id}', 'atualizarIconeRisco'),
  del('/icones-risco/{id}', 'excluirIconeRisco'),

  get('/riscos-material', 'riscosMaterial'),
  post('/riscos-material', 'criarRiscoMaterial', { required: authors }),
  get('/riscos-material/{id}', 'riscoMaterial'),
  put('/riscos-material/{id}', 'atualizarRiscoMaterial', { required: ['alteradoPor'] }),
  del('/riscos-material/{id}', 'excluirRiscoMaterial'),

  get('/tipos-empresas', 'tiposEmpresa'),
  post('/tipos-empresas', 'criarTipoEmpresa'),
  get('/tipos-empresas/{id}', 'tipoEmpresa'),
  put('/tipos-empresas/{id}', 'atualizarTipoEmpresa'),
  del('/tipos-empresas/{id}', 'excluirTipoEmpresa'),

  get('/empresas', 'empresas'),
  post('/empresas', 'criarEmpresa', { required: authors, present: ['cnpj'] }),
  get('/empresas/{id}', 'empresa'),
  put('/empresas/{id}', 'atualizarEmpresa', { required: authors }),
  del('/empresas/{id}', 'excluirEmpresa'),

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
