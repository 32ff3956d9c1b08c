import type { Examples } from './example.ts';

const system = { nome: 'Sistema de Bibliotecas', sigla: 'BIBLIO', descricao: 'Acervo e empréstimos' };
const profile = { nome: 'Bibliotecário', descricao: 'Atende no balcão', id_sistema: 1 };
const resource = { nome: 'Relatórios do mês', descricao: 'Telas de fechamento', tipo: 'U', id_sistema: 1 };
const menu = { nome: 'Biblioteca', descricao: 'Acervo e empréstimos', id_sistema: 1 };

/** Bodies for logins and the administration of permissions. */
export const permissoes: Examples = {
  'POST /auth/login': { body: { username: 'tecnico', password: 'demo-tecnico-2026' } },
  'PUT /auth/senha': { body: { username: 'docente', password: 'uma frase longa e nova' } },
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
