import { examples } from '../../src/rest/examples/examples.ts';
import { consumed, makeChemical, makePartner, post } from './controlled.ts';
import type { Face } from './faces.ts';
import { eventually } from './process.ts';
import type { TestService } from './service.ts';

const exampleOf = (operation: string) => examples[operation]!.body as Record<string, unknown>;

/**
 * Calls every operation beyond the specification successfully. The service needs a news feed, and the CNPJ and the
 * purpose of an institution.
 */
export async function walkBeyond(service: TestService, admin: Face): Promise<void> {
  await walkWarehouses(service, admin);
  await walkMap(service, admin);
  await walkNews(admin);
  await walkImports(admin);
  await walkPeople(admin);
  await walkChanges(admin);
  for (const of of ['lotes', 'locais'])
    await admin.call(`GET /almoxarifadoquimicos/etiquetas/${of}`, { query: { ids: '1' } });
  await admin.call('GET /academico/meus-planos');
}

async function walkWarehouses(service: TestService, admin: Face): Promise<void> {
  const path = '/almoxarifadoquimicos/armazens';
  const body = { ...exampleOf(`POST ${path}`), id_empresa: await makePartner(service, 'Depósito') };
  const { id } = await admin.call(`POST ${path}`, { body });
  await admin.call(`GET ${path}`);
  await admin.call(`GET ${path}/{id}`, { keys: { id } });
  await admin.call(`PUT ${path}/{id}`, { keys: { id }, body });
  await admin.call(`DELETE ${path}/{id}`, { keys: { id } });
}

async function walkMap(service: TestService, admin: Face): Promise<void> {
  const area = '/almoxarifadoquimicos';
  await post(service, consumed(await makeChemical(service, { titulo: 'Ácido' }), 500, '2025-04-10'));
  const month = { ano: 2025, mes: 4 };
  const query = { ano: '2025', mes: '4' };
  await admin.call(`GET ${area}/mapa-mensal`, { query });
  const { id } = await admin.call(`POST ${area}/mapa-mensal/fechar`, {
    body: { ...month, ciente_pendencias: true },
  });
  await admin.call(`POST ${area}/mapa-mensal/registrar-envio`, {
    body: { ...month, protocolo: '2025.04.1' },
  });
  await admin.call(`GET ${area}/fechamentos-mapa`);
  await admin.call(`GET ${area}/fechamentos-mapa/{id}`, { keys: { id } });
  await admin.call(`POST ${area}/mapa-mensal/reabrir`, { body: { ...month, motivo: 'Faltou uma nota' } });
  for (const name of ['livro-controlados', 'pendencias-mapa', 'linhas-mapa'])
    await admin.call(`GET /relatorios/almoxarifado-quimicos/${name}`, { query });
}

async function walkNews(admin: Face): Promise<void> {
  const path = '/institucional/noticias';
  await admin.call(`POST ${path}/buscar`);
  const { data } = await admin.call(`GET ${path}`);
  const body = { retirada: true };
  await admin.call(`PUT ${path}/{id}`, { keys: { id: data[0].id }, body });
  await admin.call(`GET ${path}/retiradas`);
}

async function walkImports(admin: Face): Promise<void> {
  const path = '/institucional/importacoes';
  await admin.call('GET /institucional/importaveis');
  const conteudo = Buffer.from('sigla;nome\nZZ;Lotação\nZY;\n').toString('base64');
  const body = { registros: 'lotacoes', nome_arquivo: 'a.csv', conteudo, aceitar_validas: true };
  const { id } = await admin.call(`POST ${path}`, { body });
  await eventually(async () => {
    const { situacao } = await admin.call(`GET ${path}/{id}`, { keys: { id } });
    if (situacao !== 'concluida') throw new Error(`the import is ${situacao}`);
  });
  await admin.call(`GET ${path}`);
  await admin.call('GET /institucional/linhas-recusadas/{id}', { keys: { id } });
}

async function walkPeople(admin: Face): Promise<void> {
  const accounts = 'PUT /institucional/contas-gerenciais/{email}';
  const keys = { email: 'almoxarifado@universidade.example' };
  await admin.call(accounts, { keys, body: exampleOf(accounts) });
  const path = '/permissoes/pessoas';
  const { id } = await admin.call(`POST ${path}`, { body: exampleOf(`POST ${path}`) });
  await admin.call(`GET ${path}`);
  await admin.call(`GET ${path}/{id}`, { keys: { id } });
  await admin.call(`DELETE ${path}/{id}`, { keys: { id } });
}

async function walkChanges(admin: Face): Promise<void> {
  await admin.call('GET /mudancas');
  const path = '/institucional/webhooks';
  const body = exampleOf(`POST ${path}`);
  const { id } = await admin.call(`POST ${path}`, { body });
  const keys = { id };
  await admin.call(`GET ${path}`);
  await admin.call(`GET ${path}/{id}`, { keys });
  await admin.call(`PUT ${path}/{id}`, { keys, body });
  await admin.call(`POST ${path}/pausar`, { body: keys });
  // The address has no receiver. The test event is sent although the webhook is paused.
  await admin.call(`POST ${path}/testar`, { body: keys });
  const deliveries = '/institucional/entregas-webhook';
  const { data } = await admin.call(`GET ${deliveries}`);
  await admin.call(`GET ${deliveries}/{id}`, { keys: { id: data[0].id } });
  await admin.call(`POST ${deliveries}/reenviar`, { body: { id: data[0].id } });
  for (const act of ['retomar', 'trocar-segredo']) await admin.call(`POST ${path}/${act}`, { body: keys });
  await admin.call(`DELETE ${path}/{id}`, { keys });
}
