import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Sessions } from '../src/access/session.ts';
import type { ChangePage } from '../src/changes/follow.ts';
import type { Position } from '../src/changes/position.ts';
import { makeCaller } from './support/administration.ts';
import type { Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();

const makeReader = () =>
  makeCaller(service(), [{ controller: 'institucional/funcionarios-ativos', nivel: 1 }]);

const follow = async ({ headers }: Client, after: Position | null) => {
  const { changes, sessions } = service().services;
  const session = (await sessions.find(headers['token']!))!;
  return changes.follow(session, { after, tables: ['funcionario'], first: 100 }, () => undefined);
};

/** Waits until all subscriptions have been confirmed by what is stored now. */
const confirmed = async (): Promise<void> => {
  const confirm = vi.spyOn(service().services.sessions, 'confirm');
  await eventually(() => expect(confirm.mock.settledResults.length).toBeGreaterThan(1));
  await eventually(() => expect(confirm.mock.settledResults[1]!.type).toBe('fulfilled'));
  confirm.mockRestore();
};

describe('the page that a reader is catching up with', () => {
  it.each([
    ['session', 'update sessao set encerrada_em = now() where id_pessoa = $1', 'UNAUTHENTICATED'],
    ['access', `update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, 'UNAUTHENTICATED'],
    ['level', 'delete from permissao where id_pessoa = $1', 'FORBIDDEN'],
  ])('is kept back if the %s ends meanwhile', async (what, take, code) => {
    const { client, idPessoa } = await makeReader();
    const first = await follow(client, null);
    const { value } = await first.next();
    const after = (value as ChangePage).end;
    await first.return(undefined);
    await service().sql('update funcionario set nome_civil = $1 where id = 1', [`before the ${what} ended`]);
    const held = Promise.withResolvers<void>();
    const saw = vi.spyOn(service().services.sessions, 'saw').mockImplementation(() => held.promise);
    onTestFinished(() => saw.mockRestore());
    const pages = await follow(client, after);
    const page = pages.next().catch((error: unknown) => error);
    await eventually(() => expect(saw).toHaveBeenCalled());
    await service().sql(take, [idPessoa]);
    await confirmed();
    held.resolve();
    expect(await page).toMatchObject({ code, position: after });
    saw.mockRestore();
    const another = await follow((await makeReader()).client, after);
    expect(((await another.next()).value as ChangePage).changes).toHaveLength(1);
    await another.return(undefined);
  });
});

it('subscriptions are confirmed one time after the other, so that no older answer gives back a right', async () => {
  const { sessions } = service().services;
  const confirm = sessions.confirm.bind(sessions);
  const [isHeld, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const spy = vi.spyOn(sessions, 'confirm').mockImplementation(async ids => {
    const found = await confirm(ids);
    isHeld.resolve();
    await held.promise;
    return found;
  });
  onTestFinished(() => spy.mockRestore());
  const { client, idPessoa } = await makeReader();
  const pages = await follow(client, null);
  await pages.next();
  await isHeld.promise;
  await service().sql('delete from permissao where id_pessoa = $1', [idPessoa]);
  await sleep(2_500);
  expect(spy).toHaveBeenCalledOnce();
  held.resolve();
  await expect(pages.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('sessions of more people than are remembered are confirmed together', async () => {
  const rows = async (text: string, [ids]: readonly unknown[]) =>
    (ids as number[]).map(id =>
      text.includes('from sessao') || text.includes('sessao s') ? [id, id, 1, 'state'] : [id, 'state', 0, {}],
    );
  const sessions = new Sessions({ rows }, { withSeen: false });
  await sessions.confirm(Array.from({ length: 5000 }, (_, i) => i + 1));
  expect([...(await sessions.confirm([1, 6001])).keys()]).toEqual([1, 6001]);
});
