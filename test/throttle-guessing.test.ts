/**
 * The number of guesses of an attacker who never stops, with a clock of the test. The statement is that of the service.
 * docs/operations.md contains the same figures for a day.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const WINDOWS_A_DAY = 96;

interface Attack {
  networks: number;
  /** Accounts that are tried in turn: one, or more than the attacker can try. */
  accounts: number;
  /** Times at which every network tries until it is refused. */
  moments: number;
  minutesBetween: number;
  /** Whether all accounts have logged in from all networks. */
  isKnown?: boolean;
}

/** One attack. Every allowed attempt fails at once. Locks are released between networks, as between requests. */
const ATTACK = `create procedure atacar(redes int, contas int, momentos int, minutos int, inout palpites int)
language plpgsql as $$
declare
  inicio constant timestamptz := '2030-01-01';
  agora timestamptz;
  vez record;
begin
  palpites := 0;
  for momento in 0 .. momentos - 1 loop
    agora := inicio + make_interval(mins => momento * minutos);
    for rede in 1 .. redes loop
      for conta in 1 .. contas loop
        loop
          select * into vez from reservar_tentativa(
            sha256(convert_to('c' || conta, 'UTF8')), sha256(convert_to('p' || conta || ',' || rede, 'UTF8')),
            sha256(convert_to('r' || rede, 'UTF8')), 5, 50, 50, 500, '15 minutes', '2 minutes', '30 days', agora);
          exit when vez.reservada is null;
          update tentativa_senha set estado = 'falhou', momento = agora where id = vez.reservada;
          palpites := palpites + 1;
        end loop;
        commit;
        exit when vez.cheia = 'origem';
      end loop;
    end loop;
  end loop;
end $$`;

async function guesses({
  networks,
  accounts,
  moments,
  minutesBetween,
  isKnown = false,
}: Attack): Promise<number> {
  if (isKnown)
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select 'x', sha256(convert_to('p' || conta || ',' || rede, 'UTF8')), 'x', 'entrou', timestamptz '2029-12-31'
       from generate_series(1, $1::int) conta, generate_series(1, $2::int) rede`,
      [accounts, networks],
    );
  const values = [networks, accounts, moments, minutesBetween];
  return (await service().sql(`call atacar(${values.join(', ')}, 0)`))[0]![0] as number;
}

describe('an attacker who never stops', () => {
  beforeAll(() => service().sql(ATTACK));
  afterEach(() => service().sql('delete from tentativa_senha'));

  it('has 480 guesses a day against one account from one network', async () => {
    expect(await guesses({ networks: 1, accounts: 1, moments: 288, minutesBetween: 5 })).toBe(
      5 * WINDOWS_A_DAY,
    );
  });

  it('has 4,800 a day against one account from a thousand networks', async () => {
    const windows = 2;
    const found = await guesses({ networks: 1000, accounts: 1, moments: windows, minutesBetween: 15 });
    expect(found).toBe(50 * windows);
    expect((found / windows) * WINDOWS_A_DAY).toBe(4_800);
  });

  it('has 4,800 a day against all accounts from one network', async () => {
    const windows = 8;
    const found = await guesses({ networks: 1, accounts: 60, moments: windows * 3, minutesBetween: 5 });
    expect(found).toBe(50 * windows);
    expect((found / windows) * WINDOWS_A_DAY).toBe(4_800);
  });

  it('has 4,800 a day for each network against all accounts, 4,800,000 from a thousand', async () => {
    const networks = 10;
    // There must be more accounts than the networks can try, because otherwise the limit of each account would be
    // reached first.
    const found = await guesses({ networks, accounts: 100, moments: 1, minutesBetween: 15 });
    expect((found / networks) * 1000 * WINDOWS_A_DAY).toBe(4_800_000);
  });

  it('has ten times as many against all accounts from a network that knows them', async () => {
    const found = await guesses({
      networks: 1,
      accounts: 120,
      moments: 1,
      minutesBetween: 15,
      isKnown: true,
    });
    expect(found * WINDOWS_A_DAY).toBe(48_000);
  });
});
