import { describe, expect, it } from 'vitest';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

// Imports in the test's process have the time limits of requests, which a busy machine may exceed.
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);
const loadText = async (records: string, ...lines: string[]): Promise<unknown> =>
  load(records, await file(lines.join('\n')));

describe('an import of the storeroom', () => {
  it('accepts a material with its unit, control type and hazards, whose names have commas', async () => {
    await loadText(
      'materiais',
      'titulo;descricao;estado_fisico;unidade_medida_sigla;tipo_controle_descricao;riscos',
      'Éter de petróleo;P.A.;l;L;Polícia Federal;Líquidos inflamáveis, categoria 2 | Perigo por aspiração, categoria 1',
    );
    const found = await sql(
      `select m.estado_fisico, u.sigla, c.descricao, (
         select string_agg(r.risco, ' | ' order by r.risco) from risco_material x
         join classificacao_risco r on r.id = x.id_classificacao_risco where x.id_material = m.id), m.versao
       from material m join unidade_medida u on u.id = m.id_unidade_medida
       join tipo_controle c on c.id = m.id_tipo_controle where m.titulo = 'Éter de petróleo'`,
    );
    const risks = 'Líquidos inflamáveis, categoria 2 | Perigo por aspiração, categoria 1';
    // Its hazards are part of the new record, and do not count as a change.
    expect(found).toEqual([['L', 'L', 'Polícia Federal', risks, 1]]);
  });

  it('refuses a company without a CNPJ where its kind needs one, with or without the column', async () => {
    const expected = /row 2, .*expected a CNPJ, or a kind of company that does not require one/;
    await expect(
      loadText('empresas', 'nome;cnpj;tipo_empresa_descricao', 'Sem CNPJ;;Fornecedor'),
    ).rejects.toThrow(expected);
    await expect(loadText('empresas', 'nome;tipo_empresa_descricao', 'Sem CNPJ;Fornecedor')).rejects.toThrow(
      expected,
    );
    await loadText('empresas', 'nome;cnpj;tipo_empresa_descricao', 'Sem CNPJ;12.abc.345/01DE-35;Fornecedor')
      .then(() => expect.fail('this CNPJ is taken'))
      .catch((error: Error) => expect(error.message).toContain('a value that no other record has'));
    await loadText('empresas', 'nome;cnpj;tipo_empresa_descricao', 'Nova;98.abc.345/01DE-35;Fornecedor');
    expect(await sql(`select cnpj from empresa where nome = 'Nova'`)).toEqual([['98ABC34501DE35']]);
    // Without the column, the stored CNPJ of a company is enough.
    await loadText('empresas', 'nome;tipo_empresa_descricao', 'Nova;Transportadora');
  });

  it('refuses a term that overlaps another one of the same person at the same place', async () => {
    const term = (from: string, until: string): Promise<unknown> =>
      loadText(
        'responsaveis-laboratorio',
        'local_sigla;pessoa_usuario;data_inicio;data_fim',
        `LQA;tecnico;${from};${until}`,
      );
    await term('01/02/2020', '2020-06-30');
    await expect(term('2020-06-30', '2020-12-31')).rejects.toThrow('a period that does not overlap another');
    await term('2020-07-01', '2020-12-31');
  });

  it('refuses terms that end before they start, or overlap within the file, already when it only checks', async () => {
    const check = async (titles: string, ...lines: string[]): Promise<unknown> =>
      load('responsaveis-laboratorio', await file([titles, ...lines].join('\n')), true);
    const titles = 'local_sigla;pessoa_usuario;data_inicio;data_fim';
    await expect(check(titles, 'LQA;tecnico;2021-05-01;2021-04-30')).rejects.toThrow(
      'has 1 problem.\n  row 2, data_inicio, data_fim: expected an end that does not come before the start',
    );
    await expect(
      check(titles, 'LQA;tecnico;2021-02-01;2021-04-01', 'LQA;tecnico;2021-01-01;2021-02-01'),
    ).rejects.toThrow(
      'has 1 problem.\n  row 2, local_sigla, pessoa_usuario, data_inicio: expected a period that does not overlap',
    );
    await check(titles, 'LQA;tecnico;2021-02-01;2021-04-01', 'LQA;tecnico;2021-01-01;2021-01-31');
    // Without the column, a new term has no end, and a known one keeps its own.
    await loadText('responsaveis-laboratorio', titles, 'LQA;tecnico;2022-01-01;2022-12-31');
    const open = 'local_sigla;pessoa_usuario;data_inicio';
    await expect(check(open, 'LQA;tecnico;2022-12-31')).rejects.toThrow('does not overlap');
    await expect(check(open, 'LQA;tecnico;2024-01-01', 'LQA;tecnico;2023-01-01')).rejects.toThrow(
      'has 1 problem.\n  row 2, ',
    );
    await check(open, 'LQA;tecnico;2022-01-01', 'LQA;tecnico;2023-01-01');
  });

  it('ends a term and begins the next one by the same file', async () => {
    const terms = (...lines: string[]): Promise<unknown> =>
      loadText(
        'responsaveis-laboratorio',
        'local_sigla;pessoa_usuario;data_inicio;data_fim',
        lines.join('\n'),
      );
    await terms('LQA;admin;2024-01-01;');
    await expect(terms('LQA;admin;2023-01-01;2024-01-01')).rejects.toThrow('does not overlap');
    await expect(terms('LQA;admin;2024-07-01;')).rejects.toThrow('does not overlap');
    expect(await terms('LQA;admin;2024-07-01;', 'LQA;admin;2024-01-01;2024-06-30')).toMatchObject({
      created: 1,
      changed: 1,
    });
  });

  it('ends a term and begins the next one by the same file, also far apart', async () => {
    const days = Array.from({ length: 5_001 }, (_, i) =>
      new Date(Date.UTC(1970, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const titles = 'local_sigla;pessoa_usuario;data_inicio;data_fim';
    await loadText('responsaveis-laboratorio', titles, 'LQA;almoxarife;2025-01-01;');
    const rows = [
      'LQA;almoxarife;2025-07-01;',
      ...days.map(day => `LQA;almoxarife;${day};${day}`),
      'LQA;almoxarife;2025-01-01;2025-06-30',
    ];
    expect(await loadText('responsaveis-laboratorio', titles, rows.join('\n'))).toMatchObject({
      created: 5_002,
      changed: 1,
    });
  });

  it('compares thousands of terms of one person at one place without looking at each pair', async () => {
    const days = Array.from({ length: 4_000 }, (_, i) =>
      new Date(Date.UTC(1990, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const rows = [
      'local_sigla;pessoa_usuario;data_inicio;data_fim',
      ...days.map(day => `LQA;discente;${day};${day}`),
    ];
    const terms = await file(rows.join('\n'));
    for (const [created, same] of [
      [4_000, 0],
      [0, 4_000],
    ])
      expect(await load('responsaveis-laboratorio', terms)).toMatchObject({ created, same });
  });

  it('refuses a unit that is nothing, or less, of the unit of control', async () => {
    for (const factor of ['0', '-1'])
      await expect(
        loadText('unidades-medida', 'sigla;descricao;unidade_controle;fator_controle', `ng;Nada;K;${factor}`),
      ).rejects.toThrow(`row 2, fator_controle: expected a number above 0, found "${factor}"`);
  });
});
