import { area, del, get, post, put } from '../route.ts';

/** The specification capitalises the parameters of profiles. */
const perfis = {
  pagination: 'Pagination',
  page: 'Page',
  itemsPerPage: 'ItensPerPage',
  nome: 'Nome',
  descricao: 'Descricao',
  situacao: 'Situacao',
  sistema: 'Sistema',
  idPessoa: 'Id_pessoa',
  orderByNome: 'OrderByNome',
  orderByDescricao: 'OrderByDescricao',
  orderBySituacao: 'OrderBySituacao',
};

export const permissoes = area('/permissoes', [
  get('/controllers', 'controllers'),
  post('/controllers', 'criarController'),
  get('/controllers/{id}', 'controller'),
  put('/controllers/{id}', 'atualizarController'),
  del('/controllers/{id}', 'excluirController'),

  get('/itens-menus', 'itensMenu'),
  post('/itens-menus', 'criarItemMenu'),
  get('/itens-menus/{id}', 'itemMenu'),
  put('/itens-menus/{id}', 'atualizarItemMenu'),
  del('/itens-menus/{id}', 'excluirItemMenu'),

  get('/menus', 'menus'),
  post('/menus', 'criarMenu'),
  get('/menus/{id}', 'menu'),
  put('/menus/{id}', 'atualizarMenu'),
  del('/menus/{id}', 'excluirMenu'),

  get('/parametros-acesso-api', 'parametrosAcessoApi'),
  get('/parametros-acesso-api/{token}', 'parametroAcessoApi'),

  get('/autenticacoes', 'autenticacoes'),
  get('/autenticacoes/{id}', 'autenticacao'),

  get('/perfis', 'perfis', { spelled: perfis }),
  post('/perfis', 'criarPerfil'),
  get('/perfis/{id}', 'perfil'),
  put('/perfis/{id}', 'atualizarPerfil'),
  del('/perfis/{id}', 'excluirPerfil'),

  get('/perfis-recursos', 'perfisRecurso'),
  get('/perfis-recursos/{id}', 'perfilRecurso'),

  get('/perfis-recrusos-itens', 'perfisRecursoItem'),
  post('/perfis-recrusos-itens', 'criarPerfilRecursoItem'),
  get('/perfis-recrusos-itens/{id}', 'perfilRecursoItem'),
  put('/perfis-recrusos-itens/{id}', 'atualizarPerfilRecursoItem'),
  del('/perfis-recrusos-itens/{id}', 'excluirPerfilRecursoItem'),

  get('/recursos', 'recursos', {
    spelled: { orderByNome: 'OrderByNome', orderBySituacao: 'OrderBySituacao' },
  }),
  post('/recursos', 'criarRecurso'),
  get('/recursos/{id}', 'recurso'),
  put('/recursos/{id}', 'atualizarRecurso'),
  del('/recursos/{id}', 'excluirRecurso'),

  get('/sistemas', 'sistemas', {
    spelled: {
      idSistema: 'id_sistema',
      idOrgao: 'id_orgao',
      paginaInicial: 'pagina_inicial',
      orderBySituacao: 'OrderBySituacao',
    },
  }),
  post('/sistemas', 'criarSistema'),
  get('/sistemas/{id}', 'sistema'),
  put('/sistemas/{id}', 'atualizarSistema'),
  del('/sistemas/{id}', 'excluirSistema'),

  get('/permissoes', 'permissoes'),
  post('/permissoes', 'criarPermissao'),
  get('/permissoes/{id}', 'permissoesDaPessoa', { spelled: { idPessoa: 'id' } }),
  put('/permissoes/{id}', 'atualizarPermissao'),
  del('/permissoes/{id}', 'excluirPermissao'),

  get('/menu_lateral', 'menuLateral'),
  get('/menu_lateral/{id}', 'menuLateral', { spelled: { idPerfil: 'id' } }),

  get('/acesso-ambiente', 'acessosAmbiente'),
  post('/acesso-ambiente', 'criarAcessoAmbiente'),
  del('/acesso-ambiente/{id}', 'excluirAcessoAmbiente', { spelled: { idPessoa: 'id' } }),
]);
