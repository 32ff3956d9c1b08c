import { describe, expect, it } from 'vitest';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const headers = 'matricula;vinculo;pessoa_usuario;nivel_curso;ano_ingresso;curso;situacao;habilitado\n';
const enrol = async (matricula: string): Promise<unknown> =>
  load(
    'vinculos-discente',
    await file(`${headers}${matricula};1;docente;3;2026;Mestrado em Química;Ativo;sim`),
  );

/** The number as version 1.0.0 reads it. */
const numberOf = async (matricula: string): Promise<unknown> =>
  (await sql('select matricula from vinculo_discente where numero_matricula = $1', [matricula]))[0]![0];

describe('for version 1.0.0, which serves beside this one, a registration number', () => {
  it.each([
    ['2019012345', 2_019_012_345],
    ['2147483647', 2_147_483_647],
    ['2147483648', null],
    ['9999999999', null],
    ['20190123456', null],
    ['201901234', 201_901_234],
  ])('%s is %s, also after a change of the enrolment', async (matricula, number) => {
    expect(await enrol(matricula)).toMatchObject({ created: 1 });
    expect(await numberOf(matricula)).toBe(number);
    await sql(`update vinculo_discente set situacao = 'Trancado' where numero_matricula = $1`, [matricula]);
    expect(await numberOf(matricula)).toBe(number);
  });

  it('that an earlier upgrade has taken away is there again, and the record keeps its version', async () => {
    const matricula = '2019054321';
    await enrol(matricula);
    const { migrator } = service().services.orm;
    await migrator.down({ migrations: ['Migration20261129000138'] });
    await sql(`update vinculo_discente set situacao = 'Trancado' where numero_matricula = $1`, [matricula]);
    expect(await numberOf(matricula)).toBe(null);
    const versions = () => sql('select id, versao from vinculo_discente order by id');
    const before = await versions();
    await migrator.up();
    expect(await numberOf(matricula)).toBe(2_019_054_321);
    expect(await versions()).toEqual(before);
    await sql(`update vinculo_discente set situacao = 'Ativo' where numero_matricula = $1`, [matricula]);
    expect(await versions()).not.toEqual(before);
  });
});
