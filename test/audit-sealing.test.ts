import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chainBatch } from '../src/domain/audit/chain.ts';
import { AuditKeeper } from '../src/domain/audit/keeper.ts';
import { verifyTrail } from '../src/domain/audit/verify.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();

const TEN_MINUTES_MS = 600_000;
/** How far the process's measure of time was moved. */
let laterMs = 0;
beforeEach(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets so many hours pass. The keeper works every ten minutes. */
async function keep(keeper: AuditKeeper, hours: number): Promise<void> {
  for (let turn = 0; turn < hours * 6; turn++) {
    laterMs += TEN_MINUTES_MS;
    await keeper.chain();
  }
}

/** Changes a record as a client, so that the trail of this month gets an entry, and waits until it is chained. */
async function change(): Promise<void> {
  const admin = await service().as('admin');
  const { status } = await admin.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: `N ${laterMs}` });
  expect(status).toBe(200);
}
const chained = (): Promise<void> =>
  eventually(async () => {
    while ((await chainBatch(service().services.orm)).more);
    expect((await verifyTrail(service().services, [], () => undefined)).waiting).toBe(0);
  });

const sealed = async (): Promise<unknown[]> =>
  (await service().sql('select parte from selo_auditoria order by numero')).flat();
const findings = async (): Promise<string[]> =>
  (await verifyTrail(service().services, [], () => undefined)).findings;

/** Stores until when entries are chained, as a server with this clock would have. */
const reach = (moment: string): Promise<unknown> =>
  service().sql(`update cadeia_auditoria set ate_momento = ${moment}`);

describe('after the clock of the database was ahead of the end of the month, and was corrected', () => {
  it('the month is not sealed, and is found intact', async () => {
    const keeper = new AuditKeeper(service().services);
    await change();
    await reach(`now() + interval '40 days'`);
    await keep(keeper, 8);
    await change();
    await chained();
    await keep(keeper, 8);
    expect([await sealed(), await findings()]).toEqual([[], []]);
    expect(await service().sql('select ate_momento <= now() from cadeia_auditoria')).toEqual([[true]]);
  });
});

describe('a month that is over', () => {
  it('is sealed after it was seen as over for six hours on end', async () => {
    await service()
      .sql(`do $$ declare mes text := to_char(now() at time zone 'UTC', '"auditoria_"YYYY_MM'); begin
        execute format('alter table auditoria detach partition %I', mes);
        execute format('alter table auditoria attach partition %I for values from (''2024-05-01'') to (%L)', mes,
          (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
        perform auditoria_criar_mes(timestamp '2024-04-01');
      end $$`);
    const told = vi.spyOn(service().services.log, 'info');
    const keeper = new AuditKeeper(service().services);
    await change();
    await chained();
    await keep(keeper, 5);
    await reach(`'2024-04-20'`);
    await keep(keeper, 1 / 6);
    await reach('now()');
    await keep(keeper, 5);
    expect(await sealed()).toEqual([]);
    await keep(keeper, 1.5);
    expect([await sealed(), await findings()]).toEqual([['2024-04'], []]);
    expect(told).toHaveBeenCalledWith({ heads: [expect.stringMatching(/^selos:1:/)] }, 'audit trail chained');
  });
});
