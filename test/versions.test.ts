import { ReferenceKind } from '@mikro-orm/core';
import { getNamedType } from 'graphql';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { markOf } from '../src/request/seen.ts';
import { allChanges, changeFaces, pageOf } from './support/changes.ts';
import type { Answer } from './support/client.ts';
import { makeMaterial } from './support/make.ts';
import { grant, personOf } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { makeWebhook } from './support/receiver.ts';
import { useService } from './support/service.ts';
import { makeBatch, makeInvoice, movementsOf, paths } from './support/stock.ts';
import { answersRecord, changes, mutate, targetOf, versionOf } from './support/versioned.ts';

const service = useService();
const schema = await createSchema();
const admin = () => service().as('admin');
const almoxarife = () => service().as('almoxarife');

const kinds = '/almoxarifadoquimicos/tipos-empresas';
const materials = '/almoxarifadoquimicos/materiais';
const risks = '/almoxarifadoquimicos/riscos-material';

const trailLength = async () => (await service().sql('select count(*)::int from auditoria'))[0]![0];
const tagOf = ({ headers }: Answer): string => headers.get('etag')!;
const tagAt = async (path: string) => tagOf(await (await admin()).get(path));
const version = (tag: string): number => Number(/^(?:W\/)?"(\d+)-/.exec(tag)![1]);
const versionAt = async (path: string) => version(await tagAt(path));

const nameOf = ({ route }: { route: { method: string; path: string } }) => `${route.method} ${route.path}`;

/** Operations that change something without a version. */
const unversioned = [
  // All files of a row.
  'DELETE /arquivosdigitais/arquivos-digitais/{idTabelaOrigem}:{nomeTabelaOrigem}',
  // A password, and a directory entry. Both may be on an LDAP server.
  'PUT /auth/senha',
  'PUT /institucional/usuarios-ldap/{email}',
  // The holder of an account: the caller names the previous holder.
  'PUT /institucional/contas-gerenciais/{email}',
  // Everything that a person has, which is many records.
  'DELETE /permissoes/pessoas/{id}',
];
const versioned = changes(schema).filter(operation => !unversioned.includes(nameOf(operation)));

beforeAll(() => makeWebhook(service()));

describe('every change of a record', () => {
  it('takes a version, except for changes that belong to no record', () => {
    const takes = changes(schema).filter(({ field }) => field.args.some(arg => arg.name === 'versao'));
    expect(takes.map(nameOf)).toEqual(versioned.map(nameOf));
    expect(takes.length + unversioned.length).toBe(changes(schema).length);
  });

  it('takes one in GraphQL, too, if the result depends on the old record', () => {
    const fields = Object.values(schema.getMutationType()!.getFields());
    const byKey = fields.filter(
      field => answersRecord({ field }) && field.args.some(arg => arg.name.startsWith('id')),
    );
    const without = byKey.filter(field => !field.args.some(arg => arg.name === 'versao'));
    // The result of these does not depend on the previous state of the record.
    expect(without.map(field => field.name).toSorted()).toEqual([
      'definirLimiteFalhas',
      'encerrarSessao',
      'revogarChaveApi',
    ]);
  });

  it.each(versioned.map(operation => [nameOf(operation), operation] as const))(
    '%s is refused with another version, on both faces, and changes nothing',
    async (_name, operation) => {
      const target = await targetOf(operation, await admin());
      const current = await versionOf(service(), operation, target.id);
      const { method } = operation.route;
      const body = method === 'PUT' ? target.record : undefined;
      const before = await trailLength();
      const outdated = (await admin()).with({ 'if-match': `"${current - 1}-0", "${current + 1}-0"` });
      expectProblem(await outdated.send(method, target.path, body), 412, 'PRECONDITION_FAILED');
      const { errors } = await mutate(await admin(), operation, target, current - 1);
      expect(errors?.map(error => error.extensions.code)).toEqual(['PRECONDITION_FAILED']);
      expect(await trailLength()).toBe(before);
      // The tag of an answer names the type of the answered record.
      const mark = markOf(getNamedType(operation.field.type).name, target.id);
      const others = (await admin()).with({ 'if-match': `"${current}-${markOf('X', target.id)}-0"` });
      expectProblem(await others.send(method, target.path, body), 412, 'PRECONDITION_FAILED');
      const seen = (await admin()).with({ 'if-match': `"${current}-${mark}-0"` });
      const answer = await seen.send(method, target.path, body);
      if (method === 'PUT') {
        expect(answer.status).toBe(200);
        expect(version(tagOf(answer))).toBe(await versionOf(service(), operation, target.id));
        // Other records that reference it prevent the deletion.
      } else if (answer.status !== 200) expectProblem(answer, 409, 'REFERENCED');
    },
  );
});

describe('of people who change a record that they have read', () => {
  it('exactly one succeeds, on either face, however many there are', async () => {
    const client = await almoxarife();
    const { body: kind } = await client.post(kinds, { descricao: 'Disputado', obriga_cnpj: 'N' });
    const tag = await tagAt(`${kinds}/${kind.id}`);
    const rest = async (name: string) =>
      (await client.with({ 'if-match': tag }).put(`${kinds}/${kind.id}`, { descricao: name })).status;
    const graphql = async (name: string) => {
      const { errors } = await client.graphql(
        `mutation { atualizarTipoEmpresa(id: ${kind.id}, versao: ${version(tag)}, input: { descricao: "${name}" }) { id } }`,
      );
      return errors ? (errors[0]!.extensions.code === 'PRECONDITION_FAILED' ? 412 : 500) : 200;
    };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? rest : graphql)(`Versão ${i}`)),
    );
    expect(outcomes.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(412)]);
    const { body: now } = await client.get(`${kinds}/${kind.id}`);
    expect(now.descricao).toBe(`Versão ${outcomes.indexOf(200)}`);
    expect(await versionAt(`${kinds}/${kind.id}`)).toBe(version(tag) + 1);
  });

  it('one succeeds if they change only what belongs to the record', async () => {
    const { id } = await makeMaterial(service(), { riscos: 1 });
    const client = await almoxarife();
    const path = `${materials}/${id}`;
    const { body } = await client.get(path);
    const change = async (given: object) =>
      client.with({ 'if-match': await tagAt(path) }).put(path, { ...body, alterado_por: 2, ...given });
    expect((await change({})).status).toBe(200);
    const tag = await tagAt(path);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(async idClass => {
        const riscos = [{ id_classificacao_risco: idClass }];
        return (await client.with({ 'if-match': tag }).put(path, { ...body, alterado_por: 2, riscos }))
          .status;
      }),
    );
    expect(outcomes.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    const { body: now } = await client.get(path);
    expect(now.riscos.map((risk: { id_classificacao_risco: number }) => risk.id_classificacao_risco)).toEqual(
      [outcomes.indexOf(200) + 1],
    );
  });

  it('one succeeds if they change only another record that is written with it', async () => {
    const invoice = await makeInvoice(service());
    const links = { notas_fiscais: [{ id_nota_fiscal: invoice.id }] };
    const batch = await makeBatch(service(), { ...links, controlado: true });
    const [entry] = await movementsOf(service(), batch.id);
    const client = await almoxarife();
    const { id_material, id_fabricante, cod_lote, quantidade, id_local } = batch;
    const item = { id_material, id_fabricante, cod_lote, id_local };
    const place = { id_lote: batch.id, id_local_destino_fim: id_local, fl_estorno: 'N' };
    const writes = [
      [
        `${paths.invoices}/${invoice.id}`,
        (data_venc: string) => ({ ...invoice, lotes: [{ ...item, quantidade, data_venc }] }),
      ],
      [`${paths.movements}/${entry.id}`, (data_venc: string) => ({ ...place, lote: { ...item, data_venc } })],
    ] as const;
    for (const [path, body] of writes) {
      const sender = client.with({ 'if-match': await tagAt(path) });
      const days = ['2032-01-01', '2032-02-02', '2032-03-03'];
      const outcomes = await Promise.all(days.map(async day => (await sender.put(path, body(day))).status));
      expect(outcomes.toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
      const { body: now } = await client.get(`${paths.batches}/${batch.id}`);
      expect(now.data_venc).toBe(days[outcomes.indexOf(200)]);
    }
  });

  it('an approver can decide only the version of the movement that they have seen', async () => {
    const batch = await makeBatch(service(), { controlado: true });
    const [entry] = await movementsOf(service(), batch.id);
    const client = await almoxarife();
    const seen = await tagAt(`${paths.movements}/${entry.id}`);
    const body = {
      id_lote: batch.id,
      id_local_destino_fim: batch.id_local,
      fl_estorno: 'N',
      quantidade: 5000,
    };
    expect((await client.put(`${paths.movements}/${entry.id}`, body)).status).toBe(200);
    const admin = await service().as('admin');
    const decide = (tag: string) =>
      admin.with({ 'if-match': tag }).post(paths.approvals, { id_movimentacao: entry.id });
    expectProblem(await decide(seen), 412, 'PRECONDITION_FAILED');
    const rejection = `mutation { rejeitarMovimentacao(idMovimentacao: ${entry.id}, versao: ${version(seen)}) { id } }`;
    expect((await client.graphql(rejection)).errors![0]!.extensions.code).toBe('PRECONDITION_FAILED');
    expect((await decide(await tagAt(`${paths.movements}/${entry.id}`))).status).toBe(200);
  });

  it('an approver may send the tag of the request instead, which changes with its movement', async () => {
    const [batch, other] = [
      await makeBatch(service(), { controlado: true }),
      await makeBatch(service(), { controlado: true }),
    ];
    const [entry] = await movementsOf(service(), batch.id);
    const [another] = await movementsOf(service(), other.id);
    const client = await almoxarife();
    const requestOf = async (id: number) => {
      const [row] = await service().sql('select id from solicitacao_aprovacao where id_movimentacao = $1', [
        id,
      ]);
      return `${paths.approvals}/${row![0] as number}`;
    };
    const path = await requestOf(entry.id);
    const decide = async (tag: string) =>
      (await admin()).with({ 'if-match': tag }).post(paths.approvals, { id_movimentacao: entry.id });
    const seen = await tagAt(path);
    const place = {
      id_lote: batch.id,
      id_local_destino_fim: batch.id_local,
      fl_estorno: 'N',
      quantidade: 100,
    };
    const lote = { id_material: batch.id_material, id_fabricante: batch.id_fabricante };
    // Not a fact of the movement, but shown with it.
    const changed = { ...place, lote: { ...lote, data_venc: '2035-05-05' } };
    expect((await client.put(`${paths.movements}/${entry.id}`, changed)).status).toBe(200);
    expectProblem(await decide(seen), 412, 'PRECONDITION_FAILED');
    const now = await tagAt(path);
    expect(version(now)).toBe(version(seen) + 1);
    expect((await client.put(`${paths.movements}/${entry.id}`, { ...place, quantidade: 90 })).status).toBe(
      200,
    );
    expectProblem(await decide(now), 412, 'PRECONDITION_FAILED');
    expect(await versionAt(path)).toBe(version(now) + 1);
    expectProblem(await decide(await tagAt(await requestOf(another.id))), 412, 'PRECONDITION_FAILED');
    // A version that names no record is the movement's.
    await service().sql('update solicitacao_aprovacao set alterado_em = now() where id_movimentacao = $1', [
      entry.id,
    ]);
    expectProblem(await decide(`"${await versionAt(path)}"`), 412, 'PRECONDITION_FAILED');
    expect((await decide(await tagAt(path))).status).toBe(200);
  });

  it('those who send no version are not stopped', async () => {
    const { id } = await makeMaterial(service());
    const client = await almoxarife();
    const { body } = await client.get(`${materials}/${id}`);
    for (const titulo of ['Um', 'Outro'])
      expect((await client.put(`${materials}/${id}`, { ...body, titulo, alterado_por: 1 })).status).toBe(200);
    const { data } = await client.graphql(`{ material(id: ${id}) { titulo versao } }`);
    expect(data.material).toEqual({ titulo: 'Outro', versao: 3 });
  });
});

describe('the version of a record', () => {
  it('is 1 for a new record, and rises with each update, even without a difference', async () => {
    const client = await almoxarife();
    const created = await client.post(kinds, { descricao: 'Nova', obriga_cnpj: 'N' });
    const path = `${kinds}/${created.body.id}`;
    expect(version(tagOf(created))).toBe(1);
    expect(version(tagOf(await client.put(path, { descricao: 'Outra' })))).toBe(2);
    expect(version(tagOf(await client.put(path, { descricao: 'Outra' })))).toBe(3);
  });

  it('is raised in every table, also by SQL, which cannot set it', async () => {
    const rows = await service().sql(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'criado_por'
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'versionar')`,
    );
    expect(rows).toEqual([]);
    await service().sql(
      `update tipo_movimentacao set versao = 70, descricao = descricao || '.' where id = 5`,
    );
    expect(await versionAt('/almoxarifadoquimicos/tipos-movimentacao/5')).toBe(2);
  });

  it('is raised by whatever changes what belongs to it', async () => {
    const { id } = await makeMaterial(service(), { riscos: 1 });
    const other = await makeMaterial(service());
    const client = await almoxarife();
    const at = (idMaterial: number) => versionAt(`${materials}/${idMaterial}`);
    const authors = { criado_por: 1, alterado_por: 1 };
    const { body: risk } = await client.post(risks, {
      id_material: id,
      id_classificacao_risco: 1,
      ...authors,
    });
    expect(await at(id)).toBe(2);
    await client.put(`${risks}/${risk.id}`, { id_material: other.id, id_classificacao_risco: 1, ...authors });
    expect([await at(id), await at(other.id)]).toEqual([3, 2]);
    await client.delete(`${risks}/${risk.id}`);
    expect([await at(id), await at(other.id)]).toEqual([3, 3]);
  });

  it('of batches and invoices is raised by their link, but not by their own creation', async () => {
    const invoice = await makeInvoice(service());
    const batch = await makeBatch(service(), { notas_fiscais: [{ id_nota_fiscal: invoice.id }] });
    const both = async () => [
      await versionAt(`${paths.batches}/${batch.id}`),
      await versionAt(`${paths.invoices}/${invoice.id}`),
    ];
    expect(await both()).toEqual([1, 2]);
    const client = await almoxarife();
    const second = await makeInvoice(service());
    await client.post(paths.links, { id_lote: batch.id, id_nota_fiscal: second.id });
    expect(await both()).toEqual([2, 2]);
  });

  it('of an invoice is raised by a change of its batches, from wherever it comes, once', async () => {
    const invoice = await makeInvoice(service());
    const batch = await makeBatch(service(), {
      notas_fiscais: [{ id_nota_fiscal: invoice.id }],
      controlado: true,
    });
    const client = await almoxarife();
    const at = () => versionAt(`${paths.invoices}/${invoice.id}`);
    expect(await at()).toBe(2);
    const { id_material, id_fabricante } = batch;
    const known = { id_material, id_fabricante, cod_lote: batch.cod_lote };
    await client.put(`${paths.batches}/${batch.id}`, known);
    expect(await at()).toBe(2);
    await client.put(`${paths.batches}/${batch.id}`, { ...known, cod_lote: 'K-2' });
    expect(await at()).toBe(3);
    const [entry] = await movementsOf(service(), batch.id);
    const body = { id_lote: batch.id, id_local_destino_fim: batch.id_local, fl_estorno: 'N', quantidade: 7 };
    await client.put(`${paths.movements}/${entry.id}`, body);
    expect(await at()).toBe(4);
    const { body: read } = await client.get(`${paths.invoices}/${invoice.id}`);
    const lotes = [{ ...read.lotes[0], data_venc: '2033-03-03' }];
    await client.put(`${paths.invoices}/${invoice.id}`, { ...read, lotes });
    expect(await at()).toBe(5);
  });

  it.each(Object.entries(changeFaces))(
    'is in the feed by %s for readers of the record who may not read what belongs to it',
    async (_face, ask) => {
      for (const list of ['materiais', 'lotes', 'notas-fiscais'])
        onTestFinished(
          await grant(service(), 'docente', { controller: `almoxarifadoquimicos/${list}`, nivel: 1 }),
        );
      const [reader, client] = [await service().as('docente'), await almoxarife()];
      const [material, invoice] = [await makeMaterial(service()), await makeInvoice(service())];
      const batch = await makeBatch(service(), { id_material: material.id });
      const { ultimo: after } = await pageOf(ask, reader);
      const told = async () => {
        const all = await allChanges(ask, reader, { after, tabelas: ['material', 'lote', 'nota_fiscal'] });
        const known = all.map(({ tipo, registro, idPessoa }) => [
          tipo,
          registro.id,
          registro.versao,
          idPessoa,
        ]);
        return known.map(one => one.join(' ')).toSorted();
      };
      const author = await personOf(service(), 'almoxarife');
      const { body: risk } = await client.post(risks, {
        id_material: material.id,
        id_classificacao_risco: 1,
        criado_por: 1,
        alterado_por: 1,
      });
      await client.delete(`${risks}/${risk.id}`);
      const expected = [2, 3].map(versao => `material.alterado ${material.id} ${versao} ${author}`);
      expect(await told()).toEqual(expected);
      const changed = (versao: number) =>
        expected.push(
          `lote.alterado ${batch.id} ${versao} ${author}`,
          `nota_fiscal.alterada ${invoice.id} ${versao} ${author}`,
        );
      await client.post(paths.links, { id_lote: batch.id, id_nota_fiscal: invoice.id });
      changed(2);
      expect(await told()).toEqual(expected.toSorted());
      const { id_material, id_fabricante } = batch;
      await client.put(`${paths.batches}/${batch.id}`, {
        id_material,
        id_fabricante,
        cod_lote: `K ${batch.id}`,
      });
      changed(3);
      expect(await told()).toEqual(expected.toSorted());
      const { body } = await client.get(`${paths.invoices}/${invoice.id}`);
      expect(body.alterado_por).toBe(author);
    },
  );

  it('covers every to-many field that belongs to a record', async () => {
    const entities = [...service().services.orm.getMetadata().getAll().values()];
    const many = entities.flatMap(entity =>
      entity.relations
        .filter(
          ({ kind, mappedBy, targetMeta }) =>
            kind === ReferenceKind.ONE_TO_MANY && targetMeta!.properties[mappedBy]!.deleteRule === 'cascade',
        )
        .map(({ targetMeta }) => `${targetMeta!.tableName} ${entity.tableName}`),
    );
    const triggers = await service().sql(
      `select c.relname || ' ' || substring(tgname from 'versionar_(.*)_[^_]+$') from pg_trigger t
       join pg_class c on c.oid = t.tgrelid where tgname like 'versionar\\_%' group by 1 having count(*) = 3`,
    );
    expect((triggers.flat() as string[]).toSorted()).toEqual(many.toSorted());
    expect(many.length).toBeGreaterThan(0);
  });

  it('is left out of the audit trail', async () => {
    const { id } = await makeMaterial(service());
    const client = await almoxarife();
    const length = async () =>
      await service().sql(
        `select operacao, alteracoes ? 'versao' from auditoria where tabela = 'material' and id_registro = $1`,
        [id],
      );
    expect(await length()).toEqual([['insert', false]]);
    await client.post(risks, { id_material: id, id_classificacao_risco: 1, criado_por: 1, alterado_por: 1 });
    expect(await length()).toEqual([
      ['insert', false],
      ['update', false],
    ]);
    expect(await versionAt(`${materials}/${id}`)).toBe(2);
  });
});
