import type { Walkers } from './walk.ts';
import { made, removed } from './walk-storeroom.ts';

const area = '/permissoes';
const authors = { criado_por: 1, alterado_por: 1 };

export async function walkPermissions({ admin, token }: Walkers, word: string): Promise<void> {
  const named = { nome: word, descricao: word, situacao: 'A' };
  const system = { ...named, sigla: word.slice(0, 10).toUpperCase(), tipo: 'W', id_orgao: 1, ...authors };
  const sistema = await made(admin, `${area}/sistemas`, system);
  const { data: systems } = await admin.call(`GET ${area}/sistemas`);
  const { id: own } = systems.find(({ sigla }: { sigla: string }) => sigla === 'SII');
  const controller = await made(admin, `${area}/controllers`, { nome: word, situacao: 'A', id_sistema: own });
  const menu = await made(admin, `${area}/menus`, { ...named, id_sistema: own, ...authors });
  const itemBody = { nome: word, situacao: 'A', id_menu: menu, id_controller: controller, ...authors };
  const item = await made(admin, `${area}/itens-menus`, itemBody);
  const perfil = await made(admin, `${area}/perfis`, { ...named, id_sistema: own, ...authors });
  const recurso = await made(admin, `${area}/recursos`, { ...named, tipo: 'G', id_sistema: own, ordem: 1 });
  const lets = {
    descricao: word,
    situacao: 'A',
    id_perfil: perfil,
    id_recurso: recurso,
    id_item_menu: item,
    id_controller: controller,
    modulo: word,
    nivel: 1,
    ordem: 1,
    ...authors,
  };
  const allowed = await made(admin, `${area}/perfis-recrusos-itens`, lets);
  const { data: links } = await admin.call(`GET ${area}/perfis-recursos`);
  await admin.call(`GET ${area}/perfis-recursos/{id}`, { keys: { id: links[0].id } });

  const { data: sessions } = await admin.call(`GET ${area}/autenticacoes`);
  await admin.call(`GET ${area}/autenticacoes/{id}`, { keys: { id: sessions[0].id } });
  await admin.call(`GET ${area}/parametros-acesso-api`);
  await admin.call(`GET ${area}/parametros-acesso-api/{token}`, { keys: { token } });
  await admin.call(`GET ${area}/menu_lateral`);
  await admin.call(`GET ${area}/menu_lateral/{id}`, { keys: { id: perfil } });

  const { data: people } = await admin.call(`GET ${area}/acesso-ambiente`);
  const { id_pessoa } = people.at(-1);
  const holds = { id_pessoa, id_perfil: perfil, situacao: 'A' };
  const { id: permissao } = await admin.call(`POST ${area}/permissoes`, { body: holds });
  await admin.call(`GET ${area}/permissoes`);
  await admin.call(`GET ${area}/permissoes/{id}`, { keys: { id: id_pessoa } });
  await admin.call(`PUT ${area}/permissoes/{id}`, { keys: { id: permissao }, body: holds });
  await removed(admin, `${area}/permissoes`, permissao);
  await removed(admin, `${area}/acesso-ambiente`, id_pessoa);
  await admin.call(`POST ${area}/acesso-ambiente`, { body: { id_pessoa } });

  await removed(admin, `${area}/perfis-recrusos-itens`, allowed);
  const unused = await admin.call(`POST ${area}/perfis`, {
    body: { ...named, nome: `${word} u`, id_sistema: own, ...authors },
  });
  await removed(admin, `${area}/perfis`, unused.id);
  const idle = await admin.call(`POST ${area}/recursos`, {
    body: { ...named, nome: `${word} u`, tipo: 'G', id_sistema: own, ordem: 1 },
  });
  await removed(admin, `${area}/recursos`, idle.id);
  await removed(admin, `${area}/itens-menus`, item);
  await removed(admin, `${area}/menus`, menu);
  await removed(admin, `${area}/controllers`, controller);
  await removed(admin, `${area}/sistemas`, sistema);
}
