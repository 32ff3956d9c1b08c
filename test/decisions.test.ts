import { describe, expect, it } from 'vitest';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { grant } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { makeBatch, movementsOf, paths } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);
const { approve, reject, stock, statusOf } = scene;
const almoxarife = () => service().as('almoxarife');

describe('a decision', () => {
  it('is made once, however many people make it at the same time', async () => {
    const answers = await Promise.all([
      approve(scene.entry.id),
      reject(scene.entry.id),
      approve(scene.entry.id),
      reject(scene.entry.id),
    ]);
    expect(answers.map(answer => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectProblem(answer, 409, 'INVALID_STATE');
    expect(await stock()).toBe((await statusOf(scene.entry.id)) === 2 ? 100 : null);
  });

  it('needs level 3 at this moment', async () => {
    const tecnico = await service().as('tecnico');
    expectProblem(await approve(scene.entry.id, tecnico), 403, 'FORBIDDEN');
    expectProblem(
      await tecnico.post(`${paths.approvals}?rejeitar=true`, { id_movimentacao: scene.entry.id }),
      403,
      'FORBIDDEN',
    );
    const controller = 'almoxarifadoquimicos/aprova-movimentacoes';
    const takeAway = await grant(service(), 'tecnico', { controller, nivel: 3 });
    const { id } = await makeBatch(service(), { controlado: true });
    const [other] = await movementsOf(service(), id);
    expect((await approve(other.id, tecnico)).status).toBe(200);
    await takeAway();
    expectProblem(await approve(scene.entry.id, tecnico), 403, 'FORBIDDEN');
    expect(await statusOf(scene.entry.id)).toBe(1);
  });

  it('is refused if the right is taken away while it waits for the movement', async () => {
    const discente = await service().as('discente');
    const takeAway = await grant(service(), 'discente', {
      controller: 'almoxarifadoquimicos/aprova-movimentacoes',
      nivel: 3,
    });
    const em = service().services.orm.em.fork();
    const answer = await em.transactional(async held => {
      await held.execute('select 1 from movimentacao where id = ? for update', [scene.entry.id]);
      const waiting = approve(scene.entry.id, discente);
      await untilSomeoneWaits();
      await takeAway();
      return { waiting };
    });
    expectProblem(await answer.waiting, 403, 'FORBIDDEN');
    expect(await statusOf(scene.entry.id)).toBe(1);
  });

  it.each([[{}], [{ id_movimentacao: null }], [{ id_movimentacao: 'x' }], [{ id_movimentacao: 2_000_000 }]])(
    'must name an existing movement: %j',
    async body => {
      for (const query of ['', '?rejeitar=true']) {
        const refused = await (await almoxarife()).post(paths.approvals + query, body);
        expectProblem(refused, 422, 'VALIDATION_FAILED');
        expect(fieldsOf(refused)).toEqual(['id_movimentacao']);
      }
    },
  );

  it.each([
    'rejeitar=talvez',
    'rejeitar=',
    'rejeitar=false&rejeitar=true',
    'rejeitar=true&rejeitar=false',
    'rejeitar=true&rejeitar=true',
  ])('is not guessed from the query %s', async query => {
    const refused = await (
      await service().as('admin')
    ).post(`${paths.approvals}?${query}`, { id_movimentacao: scene.entry.id });
    expectProblem(refused, 400, 'BAD_REQUEST');
    expect(fieldsOf(refused)).toEqual(['rejeitar']);
    expect(await statusOf(scene.entry.id)).toBe(1);
  });

  it.each([
    ['?Rejeitar=true', {}, 'Rejeitar'],
    ['?REJEITAR=false', {}, 'REJEITAR'],
    ['?rejeitar=true&Rejeitar=false', {}, 'Rejeitar'],
    ['', { rejeitar: true }, 'rejeitar'],
    ['', { Rejeitar: 'S' }, 'Rejeitar'],
    ['?rejeitar=true', { rejeitar: false }, 'rejeitar'],
  ])('is refused if only a name like that of its flag is sent: %s %j', async (query, body, field) => {
    const refused = await (
      await service().as('admin')
    ).post(paths.approvals + query, { id_movimentacao: scene.entry.id, ...body });
    expectProblem(refused, 400, 'BAD_REQUEST');
    expect(fieldsOf(refused)).toEqual([field]);
    expect(refused.body.errors[0].message).toContain('rejeitar');
    expect(await statusOf(scene.entry.id)).toBe(1);
  });

  it.each(['', '?rejeitar=false'])(
    'is no approval if it gives a reason to reject, with "%s"',
    async query => {
      const admin = await service().as('admin');
      const decide = (motivo: unknown) =>
        admin.post(paths.approvals + query, { id_movimentacao: scene.entry.id, motivo });
      const refused = await decide('Finalidade não informada');
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['motivo']);
      expect(refused.body.errors[0].message).toContain('rejeitar=true');
      expect(await statusOf(scene.entry.id)).toBe(1);
      // A form sends all its fields, also the empty ones.
      expect((await decide(query === '' ? '' : null)).status).toBe(200);
      expect(await statusOf(scene.entry.id)).toBe(2);
    },
  );

  it('takes other unknown parameters and fields, as everywhere', async () => {
    const { body } = await (
      await service().as('admin')
    ).post(`${paths.approvals}?rejeitar=true&tela=3`, { id_movimentacao: scene.entry.id, rejeitado: false });
    expect(body.situacao).toBe('R');
  });

  it('is a mutation of its own in GraphQL', async () => {
    const admin = await service().as('admin');
    const { id } = await makeBatch(service(), { controlado: true });
    const [other] = await movementsOf(service(), id);
    const { data } = await admin.graphql(
      `mutation { a: aprovarMovimentacao(idMovimentacao: ${scene.entry.id}) { situacao } r: rejeitarMovimentacao(idMovimentacao: ${other.id}, motivo: "Não") { situacao motivo } }`,
    );
    expect(data).toEqual({ a: { situacao: 'APROVADA' }, r: { situacao: 'REJEITADA', motivo: 'Não' } });
    const { errors } = await admin.graphql(
      `mutation { aprovarMovimentacao(idMovimentacao: ${other.id}) { id } }`,
    );
    expect(errors![0]!.extensions.code).toBe('INVALID_STATE');
  });
});

/** Waits until a statement waits for a lock that another transaction holds. */
async function untilSomeoneWaits(): Promise<void> {
  const waiting = `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => expect(await service().sql(waiting)).toEqual([[1]]));
}
