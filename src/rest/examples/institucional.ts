import type { Examples } from './example.ts';

/** `sigla;nome` and one row, in base64. */
const places = Buffer.from('sigla;nome\r\nLQA;Laboratório de Química Analítica\r\n').toString('base64');
const webhook = {
  url: 'https://painel.universidade.example/eventos',
  eventos: ['lote.criado', 'lote.alterado'],
  filtro: { campos: ['quantidade'], exceto_sistemas: [2] },
};

/** Bodies for the institutional area. */
export const institucional: Examples = {
  'POST /institucional/importacoes': {
    body: {
      registros: 'lotacoes',
      nome_arquivo: 'lotacoes.csv',
      conteudo: places,
      simulacao: true,
      aceitar_validas: false,
      codificacao: 'utf-8',
    },
  },
  'PUT /institucional/usuarios-ldap/{email}': {
    parameters: { email: 'almoxarifado@universidade.example', editarContasGerenciais: true },
    body: { descricao: 'Pedidos, recebimentos e resíduos' },
  },
  'PUT /institucional/noticias/{id}': { parameters: { id: 1 }, body: { fixada: true } },
  'POST /institucional/webhooks': { body: webhook },
  'PUT /institucional/webhooks/{id}': { parameters: { id: 1 }, body: webhook },
  'POST /institucional/webhooks/pausar': { body: { id: 1 } },
  'POST /institucional/webhooks/retomar': { body: { id: 1 } },
  'POST /institucional/webhooks/trocar-segredo': { body: { id: 1 } },
  'POST /institucional/webhooks/testar': { body: { id: 1 } },
  'POST /institucional/entregas-webhook/reenviar': { body: { id: 1 } },
  'PUT /institucional/contas-gerenciais/{email}': {
    parameters: { email: 'almoxarifado@universidade.example' },
    body: { para: 'tecnico@universidade.example', de: 'almoxarife@universidade.example' },
  },
};
