import { sheetTypes } from '../../reports/spreadsheet.ts';
import { sendImportReport, sendRefusedRows } from '../import-download.ts';
import { sendClosedFile, sendMapFile } from '../map-download.ts';
import { area, del, get, post, put, type Route } from '../route.ts';
import { reportsBeyond } from './relatorios.ts';

/** Operations that are not in the specification. `npm run new:resource` adds those of a resource. */
export const beyond: readonly Route[] = [
  ...area('/almoxarifadoquimicos', [
    get('/etiquetas/locais', 'etiquetasLocais', { document: 'etiquetas' }),
    get('/etiquetas/lotes', 'etiquetasLotes', { document: 'etiquetas' }),
    get('/armazens', 'armazens'),
    post('/armazens', 'criarArmazem'),
    get('/armazens/{id}', 'armazem'),
    put('/armazens/{id}', 'atualizarArmazem'),
    del('/armazens/{id}', 'excluirArmazem'),
    get('/mapa-mensal', 'mapaMensal', { streams: sendMapFile, streamsAs: 'text/plain', strict: true }),
    post('/mapa-mensal/fechar', 'fecharMapa', { status: 200 }),
    post('/mapa-mensal/reabrir', 'reabrirMapa', { status: 200 }),
    post('/mapa-mensal/registrar-envio', 'registrarEnvioMapa', { status: 200 }),
    get('/fechamentos-mapa', 'fechamentosMapa', { strict: true }),
    get('/fechamentos-mapa/{id}', 'fechamentoMapa', { streams: sendClosedFile, streamsAs: 'text/plain' }),
  ]),
  get('/academico/meus-planos', 'meusPlanos'),
  get('/mudancas', 'mudancas', { strict: true }),
  ...area('/institucional', [
    get('/noticias/retiradas', 'noticiasRetiradas'),
    put('/noticias/{id}', 'atualizarNoticia'),
    post('/noticias/buscar', 'buscarNoticias', { status: 200 }),
    get('/importaveis', 'importaveis'),
    get('/importacoes', 'importacoes', { omits: ['problemas', 'repeticoes'] }),
    post('/importacoes', 'importar', { receives: 'conteudo' }),
    get('/importacoes/{id}', 'importacao', { streams: sendImportReport, streamsAs: sheetTypes.xlsx }),
    get('/linhas-recusadas/{id}', 'linhasRecusadas', {
      streams: sendRefusedRows,
      streamsAs: sheetTypes.xlsx,
    }),
    get('/webhooks', 'webhooks'),
    post('/webhooks', 'criarWebhook'),
    get('/webhooks/{id}', 'webhook'),
    put('/webhooks/{id}', 'atualizarWebhook'),
    del('/webhooks/{id}', 'excluirWebhook'),
    post('/webhooks/pausar', 'pausarWebhook', { status: 200 }),
    post('/webhooks/retomar', 'retomarWebhook', { status: 200 }),
    post('/webhooks/trocar-segredo', 'trocarSegredoWebhook', { status: 200 }),
    post('/webhooks/testar', 'testarWebhook'),
    get('/entregas-webhook', 'entregasWebhook'),
    get('/entregas-webhook/{id}', 'entregaWebhook'),
    post('/entregas-webhook/reenviar', 'reenviarEntregaWebhook', { status: 200 }),
  ]),
  put('/institucional/contas-gerenciais/{email}', 'transferirContaGerencial'),
  get('/permissoes/pessoas', 'pessoas'),
  get('/permissoes/pessoas/{id}', 'pessoa'),
  post('/permissoes/pessoas', 'admitirPessoa'),
  del('/permissoes/pessoas/{id}', 'desligarPessoa'),
  ...reportsBeyond,
];
