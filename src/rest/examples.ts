/** A call that works on the demo data: parameters in its path and query, and its body. */
export interface Example {
  parameters?: Readonly<Record<string, number | string | boolean>>;
  body: object;
}

/** `sigla;nome` and one row, in base64. */
const places = Buffer.from('sigla;nome\r\nLQA;Laboratório de Química Analítica\r\n').toString('base64');

const authors = { criado_por: 1, alterado_por: 1 };

const material = {
  ...authors,
  titulo: 'Álcool isopropílico',
  catmat: '347280',
  descricao: 'CH₃CHOHCH₃, P.A. ACS, ≥ 99,8 %',
  id_unidade_medida: 6,
  numero_cas: '67-63-0',
  estado_fisico: 'L',
  id_tipo_controle: 5,
  link_fispq: 'https://fispq.universidade.example/67-63-0.pdf',
};
const risk = { ...authors, id_icone_risco: 2, risco: 'Aerossóis, categoria 1', palavra_advertencia: 'P' };
const icon = {
  icone: 'https://pictogramas.universidade.example/frio.svg',
  nome: 'Frio',
  descricao: 'Criogênico',
};
const company = { ...authors, nome: 'Reagentes do Vale', cnpj: '11444777000161', id_tipo_empresa: 2 };
const warehouse = {
  endereco: 'Avenida das Nações',
  numero: '1200',
  complemento: 'Bloco B',
  bairro: 'Centro',
  cep: '70.070-935',
  uf: 'DF',
  codigo_municipio: 5300108,
};
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
const system = { nome: 'Sistema de Bibliotecas', sigla: 'BIBLIO', descricao: 'Acervo e empréstimos' };
const profile = { nome: 'Bibliotecário', descricao: 'Atende no balcão', id_sistema: 1 };
const resource = { nome: 'Relatórios do mês', descricao: 'Telas de fechamento', tipo: 'U', id_sistema: 1 };
const menu = { nome: 'Biblioteca', descricao: 'Acervo e empréstimos', id_sistema: 1 };

const webhook = {
  url: 'https://painel.universidade.example/eventos',
  eventos: ['lote.criado', 'lote.alterado'],
  filtro: { campos: ['quantidade'], exceto_sistemas: [2] },
};

/** Examples of bodies, by operation. The ids are those of the demo data, in the order of its files. */
export const examples: Readonly<Record<string, Example>> = {
  'POST /almoxarifadoquimicos/aprova-movimentacoes': {
    body: { id_movimentacao: 1520 },
  },
  'POST /almoxarifadoquimicos/materiais': { body: material },
  'PUT /almoxarifadoquimicos/materiais/{id}': {
    parameters: { id: 2 },
    body: { ...material, titulo: 'Acetileno AA' },
  },
  'POST /almoxarifadoquimicos/classificacoes-risco': { body: risk },
  'PUT /almoxarifadoquimicos/classificacoes-risco/{id}': {
    parameters: { id: 1 },
    body: { ...risk, risco: 'Gases inflamáveis, categoria 1A' },
  },
  'POST /almoxarifadoquimicos/icones-risco': { body: icon },
  'PUT /almoxarifadoquimicos/icones-risco/{id}': {
    parameters: { id: 1 },
    body: { ...icon, nome: 'Explosão' },
  },
  'POST /almoxarifadoquimicos/riscos-material': {
    body: { ...authors, id_classificacao_risco: 3, id_material: 40 },
  },
  'PUT /almoxarifadoquimicos/riscos-material/{id}': {
    parameters: { id: 1 },
    body: { alterado_por: 1, id_classificacao_risco: 4, id_material: 12 },
  },
  'POST /almoxarifadoquimicos/tipos-empresas': {
    body: { descricao: 'Laboratório parceiro', obriga_cnpj: 'S' },
  },
  'PUT /almoxarifadoquimicos/tipos-empresas/{id}': {
    parameters: { id: 1 },
    body: { descricao: 'Fabricante', obriga_cnpj: 'N' },
  },
  'POST /almoxarifadoquimicos/empresas': { body: company },
  'PUT /almoxarifadoquimicos/empresas/{id}': {
    parameters: { id: 4 },
    body: { ...company, nome: 'Reagentes Paulista Ltda.', cnpj: '33444555000181' },
  },
  'POST /almoxarifadoquimicos/armazens': { body: { ...warehouse, id_empresa: 6 } },
  'PUT /almoxarifadoquimicos/armazens/{id}': { parameters: { id: 2 }, body: { ...warehouse, id_empresa: 8 } },
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
  'POST /almoxarifadoquimicos/responsaveis-laboratorio': { body: { id_local: 5, id_pessoa: 4 } },
  'PUT /almoxarifadoquimicos/responsaveis-laboratorio/{id}': {
    parameters: { id: 4 },
    body: { data_fim: '2027-12-31' },
  },
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
  'POST /arquivosdigitais/arquivos-digitais': {
    body: {
      ...authors,
      id_tabela_origem: 3,
      nome_tabela_origem: 'material',
      nome: 'Aviso.txt',
      tipo_mime: 'text/plain',
      conteudo: 'TWFudGVyIGxvbmdlIGRvIGZvZ28uCg==',
    },
  },
  'PUT /institucional/usuarios-ldap/{email}': {
    parameters: { email: 'almoxarifado@universidade.example', editarContasGerenciais: true },
    body: { descricao: 'Pedidos, recebimentos e resíduos' },
  },
  'POST /auth/login': { body: { username: 'tecnico', password: 'demo-tecnico-2026' } },
  'PUT /auth/senha': { body: { username: 'docente', password: 'uma frase longa e nova' } },
  'PUT /institucional/noticias/{id}': { parameters: { id: 1 }, body: { fixada: true } },
  'POST /permissoes/controllers': { body: { nome: 'biblioteca/emprestimos', id_sistema: 1 } },
  'PUT /permissoes/controllers/{id}': {
    parameters: { id: 1 },
    body: { nome: 'academico/atividade-curriculo-discente', id_sistema: 1, situacao: 'A' },
  },
  'POST /permissoes/itens-menus': { body: { nome: 'Etiquetas', id_menu: 1, id_controller: 15 } },
  'PUT /permissoes/itens-menus/{id}': {
    parameters: { id: 2 },
    body: { nome: 'Lotes e validades', id_menu: 1, id_controller: 15 },
  },
  'POST /permissoes/menus': { body: menu },
  'PUT /permissoes/menus/{id}': { parameters: { id: 3 }, body: { ...menu, nome: 'Universidade' } },
  'POST /permissoes/perfis': { body: profile },
  'PUT /permissoes/perfis/{id}': {
    parameters: { id: 6 },
    body: { ...profile, nome: 'Protocolo', descricao: 'Anexa documentos a registros' },
  },
  'POST /permissoes/perfis-recrusos-itens': {
    body: { descricao: 'Consulta de materiais', id_perfil: 4, id_recurso: 3, id_controller: 17, nivel: 1 },
  },
  'PUT /permissoes/perfis-recrusos-itens/{id}': {
    parameters: { id: 2 },
    body: { descricao: 'almoxarifadoquimicos/materiais', id_perfil_recurso: 1, id_controller: 17, nivel: 3 },
  },
  'POST /permissoes/recursos': { body: resource },
  'PUT /permissoes/recursos/{id}': {
    parameters: { id: 1 },
    body: { ...resource, nome: 'Portal', id_sistema: 2 },
  },
  'POST /permissoes/sistemas': { body: system },
  'PUT /permissoes/sistemas/{id}': { parameters: { id: 3 }, body: { ...system, sigla: 'SGLAB' } },
  'POST /permissoes/permissoes': { body: { id_pessoa: 6, id_perfil: 4 } },
  'PUT /permissoes/permissoes/{id}': {
    parameters: { id: 3 },
    body: { id_pessoa: 3, id_perfil: 3, situacao: 'A' },
  },
  'POST /permissoes/acesso-ambiente': { body: { id_pessoa: 60 } },
  'POST /institucional/webhooks': { body: webhook },
  'PUT /institucional/webhooks/{id}': { parameters: { id: 1 }, body: webhook },
  'POST /institucional/webhooks/pausar': { body: { id: 1 } },
  'POST /institucional/webhooks/retomar': { body: { id: 1 } },
  'POST /institucional/webhooks/trocar-segredo': { body: { id: 1 } },
  'POST /institucional/webhooks/testar': { body: { id: 1 } },
  'POST /institucional/entregas-webhook/reenviar': { body: { id: 1 } },
  'POST /almoxarifadoquimicos/mapa-mensal/fechar': { body: { ano: 2026, mes: 10 } },
  'POST /almoxarifadoquimicos/mapa-mensal/reabrir': {
    body: { ano: 2026, mes: 10, motivo: 'Nota fiscal registrada com atraso' },
  },
  'POST /almoxarifadoquimicos/mapa-mensal/registrar-envio': {
    body: { ano: 2026, mes: 10, protocolo: '2026.11.0042' },
  },
  'PUT /institucional/contas-gerenciais/{email}': {
    parameters: { email: 'almoxarifado@universidade.example' },
    body: { para: 'tecnico@universidade.example', de: 'almoxarife@universidade.example' },
  },
  'POST /permissoes/pessoas': {
    body: {
      usuario: 'marina.duarte',
      nome_civil: 'Marina Duarte Salles',
      email: 'marina.duarte@universidade.example',
      cpf: '52998224725',
      id_perfil: 3,
    },
  },
};
