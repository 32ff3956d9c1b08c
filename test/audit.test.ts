import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const units = '/almoxarifadoquimicos/tipos-empresas';

interface Trail {
  pessoa: number | null;
  operacao: string;
  alteracoes: Record<string, [unknown, unknown]>;
  requisicao: string;
}

async function trailOf(table: string, id: number): Promise<Trail[]> {
  const rows = await service().sql(
    'select id_pessoa, operacao, alteracoes, requisicao from auditoria where tabela = $1 and id_registro = $2 order by id',
    [table, id],
  );
  return rows.map(
    ([pessoa, operacao, alteracoes, requisicao]) => ({ pessoa, operacao, alteracoes, requisicao }) as Trail,
  );
}

const personOf = async (usuario: string): Promise<number> =>
  (await service().sql('select id from pessoa where usuario = $1', [usuario]))[0]![0] as number;

describe('the audit trail', () => {
  it('shows who wrote what, the values before and after, and the request', async () => {
    const tecnico = await service().as('tecnico');
    const created = await tecnico.post(units, { descricao: 'Laboratório', obriga_cnpj: 'N' });
    const { id } = created.body;
    await tecnico.put(`${units}/${id}`, { descricao: 'Laboratório credenciado' });
    await (await service().as('almoxarife')).delete(`${units}/${id}`);
    const [made, changed, gone] = (await trailOf('tipo_empresa', id)) as [Trail, Trail, Trail];
    expect(made).toMatchObject({ pessoa: await personOf('tecnico'), operacao: 'insert' });
    expect(made.alteracoes).toMatchObject({ descricao: [null, 'Laboratório'], obriga_cnpj: [null, 'N'] });
    expect(made.requisicao).toBe(created.headers.get('x-request-id'));
    expect(changed.operacao).toBe('update');
    expect(changed.alteracoes['descricao']).toEqual(['Laboratório', 'Laboratório credenciado']);
    expect(Object.keys(changed.alteracoes)).not.toContain('obriga_cnpj');
    expect(gone).toMatchObject({ pessoa: await personOf('almoxarife'), operacao: 'delete' });
    expect(gone.alteracoes['descricao']).toEqual(['Laboratório credenciado', null]);
  });

  it('names the authenticated person, whatever person the client claims', async () => {
    const tecnico = await service().as('tecnico');
    const body = { nome: 'Outra', cnpj: null, id_tipo_empresa: 1, criado_por: 4711, alterado_por: 4711 };
    const { body: company } = await tecnico.post('/almoxarifadoquimicos/empresas', body);
    expect(company.criado_por).toBe(4711);
    expect((await trailOf('empresa', company.id))[0]!.pessoa).toBe(await personOf('tecnico'));
  });

  it('does not have refused writes', async () => {
    const admin = await service().as('admin');
    const before = await service().sql('select count(*) from auditoria');
    await admin.post('/almoxarifadoquimicos/empresas', {
      cnpj: 'x',
      id_tipo_empresa: 1,
      criado_por: 1,
      alterado_por: 1,
    });
    await admin.delete('/almoxarifadoquimicos/unidades-medida/1');
    expect(await service().sql('select count(*) from auditoria')).toEqual(before);
  });

  it('has logins, and shows of secrets only that they changed', async () => {
    await service().anyone.login('docente');
    const rows = await service().sql(
      `select alteracoes from auditoria where tabela = 'sessao' and id_pessoa = $1`,
      [await personOf('docente')],
    );
    expect((rows.at(-1)![0] as Record<string, unknown>)['token_hash']).toEqual(['***', '***']);
    const whole = await service().sql(
      `select count(*)::int from auditoria where alteracoes::text ~ 'argon2|\\\\\\\\x[0-9a-f]{8}'`,
    );
    expect(whole).toEqual([[0]]);
  });

  it('masks every column of bytes, because these hold only digests', async () => {
    const rows = await service().sql(
      `select table_name, column_name,
         auditoria_alteracoes(null, jsonb_build_object(column_name, 'x')) = jsonb_build_object(column_name, array['***', '***'])
       from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea' and exists (
         select from pg_trigger where tgrelid = table_name::regclass and tgname = 'auditar_insert')`,
    );
    expect(rows).toContainEqual(['sessao', 'token_hash', true]);
    expect(rows.filter(([, , isMasked]) => !isMasked)).toEqual([]);
  });

  it('is kept by every table', async () => {
    const rows = await service().sql(
      `select c.relname, count(t.tgname)::int from pg_class c
       left join pg_trigger t on t.tgrelid = c.oid and t.tgname in ('auditar_insert', 'auditar_update', 'auditar_delete')
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition group by 1 having count(t.tgname) <> 3 order by 1`,
    );
    expect(rows.map(([table]) => table)).toEqual([
      'andamento_importacao',
      'andamento_webhook',
      'auditoria_antes',
      'cadeia_auditoria',
      'configuracao',
      'conteudo_mapa',
      'elo_auditoria',
      'entrega_webhook',
      'envio_arquivo',
      'estado_permissoes',
      'historia_mudancas',
      'idempotencia',
      'informado_mapa',
      'mikro_orm_migrations',
      'mudanca_transacao',
      'posicao_sessao',
      'recusadas_importacao',
      'selo_auditoria',
      'tentativa_login',
      'tentativa_senha',
    ]);
  });

  it.each(['update auditoria set id_pessoa = 1', 'delete from auditoria', 'truncate auditoria'])(
    'refuses: %s',
    async statement => {
      await expect(service().sql(statement)).rejects.toMatchObject({ code: '42501' });
    },
  );
});
