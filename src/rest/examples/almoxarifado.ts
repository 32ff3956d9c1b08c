import { authors, type Examples } from './example.ts';

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

/** Bodies for the materials of the storeroom, companies and places. */
export const almoxarifado: Examples = {
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
  'POST /almoxarifadoquimicos/responsaveis-laboratorio': { body: { id_local: 5, id_pessoa: 4 } },
  'PUT /almoxarifadoquimicos/responsaveis-laboratorio/{id}': {
    parameters: { id: 4 },
    body: { data_fim: '2027-12-31' },
  },
};
