import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyStep, register, settle, Stage, undoing, type Step } from './support/ledger-history.ts';
import { findings } from './support/ledger.ts';
import { useService } from './support/service.ts';

const service = useService({ APPROVE_OWN: 'true' });
const seed = Number(process.env['FC_SEED'] ?? 20_261_122);
const CORRECT = { cells: [], batches: [], reversals: [] };

/** Ways to break the ledger, and to repair it for the next test. `harm`: number of movements that it damaged. */
const mutants = {
  'takes one less than an exit says': {
    breaks: `create function mutante() returns trigger language plpgsql as $$ begin
        if new.quantidade < old.quantidade then new.quantidade := new.quantidade + 1; end if;
        return new;
      end $$;
      create trigger a_mutante before update on estoque for each row execute function mutante();
      alter table estoque disable trigger estoque_explicado`,
    mends: 'drop function mutante cascade; alter table estoque enable trigger estoque_explicado',
    harm: `fl_estorno = 'N' and id_tipo_movimentacao in (3, 4, 5) or fl_estorno = 'S' and id_tipo_movimentacao <= 3`,
  },
  'lets reversals undo what never was': {
    breaks: 'alter table movimentacao disable trigger movimentacao_estorna',
    mends: 'alter table movimentacao enable trigger movimentacao_estorna',
    harm: `fl_estorno = 'S'`,
  },
  'lets a reversal undo the same twice': {
    breaks: `alter table movimentacao drop constraint movimentacao_estornada_check;
      create function mutante() returns trigger language plpgsql as $$ begin
        new.quantidade := new.quantidade + 1;
        return new;
      end $$;
      create trigger a_mutante before insert on estorno for each row execute function mutante()`,
    mends: `drop function mutante cascade; alter table movimentacao add constraint movimentacao_estornada_check check
      ("quantidade_estornada" >= 0 and "quantidade_em_estorno" >= 0 and "quantidade_estornada" + "quantidade_em_estorno" <= "quantidade") not valid`,
    harm: `fl_estorno = 'S'`,
  },
};

async function perform(stage: Stage, steps: readonly Step[]): Promise<void> {
  const admin = await service().as('admin');
  for (const step of steps) {
    const ledger = await stage.ledger();
    const known = 'which' in step ? ledger.at(-1 - (step.which % ledger.length)) : undefined;
    if (step.act === 'post')
      await register(
        admin,
        step.asked.map(asked => stage.body(asked)),
      );
    else if (step.act === 'undo') await register(admin, [undoing(known!, step.quantity)]);
    else if (step.act !== 'put') await settle(admin, step.act, known!.id);
  }
}

const histories = fc.array(anyStep, { minLength: 25, maxLength: 40, size: 'max' });
const each = (check: (steps: Step[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(histories, check), { seed, numRuns: 4, endOnFailure: true });

/** The findings about the batches of a stage. Batches of earlier stages stay damaged. */
async function foundOf(stage: Stage) {
  const { cells, batches, reversals } = await findings(service());
  const ledger = await stage.ledger();
  const isOurs = ({ idLote }: { idLote: number }) => ledger.some(row => row.id_lote === idLote);
  return {
    cells: cells.filter(isOurs),
    batches: batches.filter(isOurs),
    reversals: reversals.filter(one => ledger.some(row => row.id === one.id)),
  };
}

describe('the database', () => {
  const at = '(select id from estoque where quantidade > 10 order by id limit 1)';

  it.each([
    `update estoque set quantidade = quantidade + 1 where id = ${at}`,
    `delete from estoque where id = ${at}`,
    `update estoque set id_local_fim = id_local_fim % 3 + 1 where id = ${at}`,
    `insert into estoque (id_lote, id_local_fim, id_local_armazenado, quantidade) select id_lote, (select max(id) from local), 2, 1 from estoque where id = ${at}`,
    `with m as (insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_destino_fim, id_local_destino_arm, quantidade)
       select id_lote, 2, 1, id_local_fim, id_local_armazenado, 1 from estoque where id = ${at})
     update estoque set quantidade = quantidade + 1 where id = ${at}`,
  ])('refuses a change of stock that no movement explains: %s', async statement => {
    await expect(service().sql(statement)).rejects.toMatchObject({ code: 'SI002' });
    expect(await findings(service())).toEqual(CORRECT);
  });

  it('takes a change of stock with the movement that explains it', async () => {
    const move = (delta: number) =>
      `with m as (insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim, id_local_origem_arm, quantidade)
         select id_lote, 4, 2, id_local_fim, id_local_armazenado, 3 from estoque where id = ${at})
       update estoque set quantidade = quantidade - ${delta} where id = ${at}`;
    await expect(service().sql(move(2))).rejects.toMatchObject({ code: 'SI002' });
    await service().sql(move(3));
    expect(await findings(service())).toEqual(CORRECT);
  });
});

// Afterwards the database contains damaged batches.
describe('any history of movements', () => {
  it('leaves nothing for ledger:verify to find', async () => {
    await each(async steps => {
      const stage = await Stage.set(service());
      await perform(stage, steps);
      expect(await foundOf(stage)).toEqual(CORRECT);
    });
  });

  describe.each(Object.entries(mutants))('with a ledger that %s', (_, { breaks, mends, harm }) => {
    beforeEach(() => service().services.orm.em.getConnection().executeDump(breaks));
    afterEach(() => service().services.orm.em.getConnection().executeDump(mends));

    it('is caught, if it harmed anything', async () => {
      let harmed = 0;
      await each(async steps => {
        const stage = await Stage.set(service());
        await perform(stage, steps);
        const [[count]] = (await service().sql(
          `select count(*)::int from movimentacao where id_status_movimentacao = 2 and (${harm}) and id = any($1)`,
          [(await stage.ledger()).map(({ id }) => id)],
        )) as [[number]];
        harmed += count;
        if (count > 0) expect(await foundOf(stage)).not.toEqual(CORRECT);
        else expect((await foundOf(stage)).batches).toEqual([]);
      });
      expect(harmed).toBeGreaterThan(0);
    });
  });
});
