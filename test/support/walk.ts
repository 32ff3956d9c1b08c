import type { Face } from './faces.ts';
import { walkPermissions } from './walk-permissions.ts';
import { walkStoreroom } from './walk-storeroom.ts';

/** The people of a walk. */
export interface Walkers {
  /** A person with all permissions. */
  admin: Face;
  /** Another person, who registers the movements that the first one decides. */
  keeper: Face;
  /** A person who does not manage a location yet. */
  idPessoa: number;
  /** A live token. */
  token: string;
}

/** Calls every operation of the specification successfully. `word` is unique to this walk. */
export async function walk(walkers: Walkers, word: string): Promise<void> {
  await walkStoreroom(walkers, word);
  await walkPermissions(walkers, word);
  await walkFiles(walkers, word);
  await walkPeople(walkers);
  await walkTeaching(walkers);
  await walkReports(walkers);
}

async function walkFiles({ admin }: Walkers, word: string): Promise<void> {
  const files = '/arquivosdigitais/arquivos-digitais';
  const origin = { id_tabela_origem: 1, nome_tabela_origem: word };
  const conteudo = Buffer.from(`conteúdo de ${word}`).toString('base64');
  const body = { ...origin, nome: `${word}.txt`, tipo_mime: 'text/plain', conteudo };
  const { id } = await admin.call(`POST ${files}`, { body });
  await admin.call(`GET ${files}`, { query: { apenasInformacao: 'true' } });
  const read = await admin.call(`GET ${files}/{id}`, { keys: { id } });
  if (read.conteudo !== conteudo) throw new Error('the file is not what was sent');
  const keys = { idTabelaOrigem: 1, nomeTabelaOrigem: word };
  await admin.call(`DELETE ${files}/{idTabelaOrigem}:{nomeTabelaOrigem}`, { keys });
}

async function walkPeople({ admin }: Walkers): Promise<void> {
  const employees = '/institucional/funcionarios-ativos';
  const { data } = await admin.call(`GET ${employees}`);
  await admin.call(`GET ${employees}/{id}`, { keys: { id: data[0].id } });
  await admin.call('GET /institucional/noticias');
  const directory = '/institucional/usuarios-ldap';
  await admin.call(`GET ${directory}`);
  await admin.call(`GET ${directory}/{email}`, { keys: { email: 'docente@universidade.example' } });
  const account = { keys: { email: 'almoxarifado@universidade.example' } };
  for (const suspenderConta of ['true', 'false'])
    await admin.call(`PUT ${directory}/{email}`, { ...account, query: { suspenderConta } });
  const password = 'uma senha do discente';
  await admin.call('PUT /auth/senha', { body: { username: 'discente', password } });
  await admin.call('POST /auth/login', { body: { username: 'discente', password } });
}

async function walkTeaching({ admin }: Walkers): Promise<void> {
  await admin.call('GET /academico/situacoes-atividade-curriculo');
  const { data } = await admin.call('GET /academico/vinculo-discente');
  const query = { idVinculo: String(data[0].id) };
  await admin.call('GET /academico/atividade-curriculo-discente', { query });
  await admin.call('GET /academico/planos-ensino/gerar-pdf/{id}', { keys: { id: 7 } });
}

async function walkReports({ admin }: Walkers): Promise<void> {
  await admin.call('GET /relatorios/relatorios');
  await admin.call('GET /relatorios/relatorios-parametros', { query: { id_relatorio: '9' } });
  for (const name of [
    'docentes-plano-tramitacao',
    'situacao-planos-curso',
    'situacao-planos-departamento',
    'tramitacao-atual-curso',
    'planos-cadastrados',
    'planos-situacao-tempo',
  ])
    await admin.call(`GET /relatorios/planos-ensino/${name}`);
  for (const name of [
    'materiais-estocados',
    'saida-materiais',
    'materiais-controlados',
    'movimentacoes-materiais-controlados',
  ])
    await admin.call(`GET /relatorios/almoxarifado-quimicos/${name}`);
}
