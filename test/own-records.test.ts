import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { routes } from '../src/rest/routes.ts';
import type { Client } from './support/client.ts';
import { personOf } from './support/permissions.ts';
import { readAll, type Guesses } from './support/reads.ts';
import { useService } from './support/service.ts';

const service = useService();
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

/** A mark in all texts of another person's records. */
const FOREIGN = 'ALHEIO';
/** The same mark in addresses, which are stored in lower case. */
const FOREIGN_MAIL = 'outrem';
let guesses: Guesses;

/** The other person, and the texts of each table with her rows. */
const texts = {
  pessoa: ['id', 'nome', 'nome_social', 'usuario', 'email'],
  vinculo_discente: ['id_pessoa', 'curso', 'situacao'],
  atividade_curriculo_discente: [
    '(select id_pessoa from vinculo_discente v where v.id = id_vinculo)',
    'codigo_atividade',
    'nome_atividade',
    'estrutura',
  ],
  sessao: ['id_pessoa', 'versao_aplicacao'],
  plano_ensino: ['0', 'codigo_disciplina', 'nome_disciplina', 'ementa'],
  tramitacao_plano: ['0', 'observacao'],
  perfil: ['0', 'nome', 'descricao'],
  funcionario: ['0', 'nome_civil', 'nome_social', 'email'],
  conta_gerencial: ['0', 'nome', 'descricao', 'email'],
  arquivo_digital: ['0', 'nome'],
};

beforeAll(async () => {
  const id = await personOf(service(), 'discente');
  await Promise.all(['discente', 'docente', 'admin'].map(usuario => service().as(usuario)));
  for (const [table, [owner, ...columns]] of Object.entries(texts)) {
    const marked = columns
      .map(column =>
        column === 'email' ? `email = '${FOREIGN_MAIL}.${table}' || id` : `${column} = '${FOREIGN}' || id`,
      )
      .join(', ');
    await sql(`update ${table} set ${marked} where ${owner} <> $1`, [id]);
  }
  const [ids] = await sql(
    `select v.id, v.id_pessoa, v.matricula, (select min(id) from plano_ensino),
       (select max(id) from sessao where id_pessoa <> $1)
     from vinculo_discente v where v.id_pessoa <> $1 order by v.id limit 1`,
    [id],
  );
  // In a different case than stored, because an answer may repeat the request.
  const names = await sql('select upper(email), lower(usuario) from pessoa where id = $1', [ids![1]]);
  guesses = { Int: ids as number[], String: [FOREIGN.toLowerCase(), ...(names.flat() as string[])] };
});

const telling = async (client: Client, only?: readonly string[]): Promise<string[]> =>
  (await readAll(client, await createSchema(), routes, guesses, only))
    .filter(({ text }) => text.includes(FOREIGN) || text.includes(FOREIGN_MAIL))
    .map(({ name }) => name);

describe('a student', () => {
  it('sees their own records, and none of other people by any query, path, argument or nested field', async () => {
    const discente = await service().as('discente');
    expect((await discente.get('/academico/vinculo-discente')).body.total).toBe(2);
    expect(await telling(discente)).toEqual([]);
  });

  it('is tested by a search that finds these records for an administrator', async () => {
    const asked = ['vinculosDiscente', 'atividadesCurriculoDiscente', 'planoEnsino', 'usuarioDiretorio'];
    const names = await telling(await service().as('admin'), asked);
    const seen = new Set(names.map(name => name.split(/[ ?]/)[0]));
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...asked,
        '/academico/vinculo-discente',
        '/academico/atividade-curriculo-discente',
      ]),
    );
  });
});
