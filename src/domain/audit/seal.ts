import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { transactionReader, type Reader } from '../../database/reader.ts';
import { endsOf } from './ends.ts';
import { startOf, type Head } from './links.ts';
import { chainsOf } from './parts.ts';

/** Chain with the seals of the parts as its links. */
export const SEALS = 'selos';

/** The data that a seal covers. */
export interface SealContent {
  part: string;
  entries: number;
  link: string;
  refusals: number;
  refusalsLink: string;
}

/** The seal of a part, in hexadecimal. It covers the previous seal, so no part can be removed unnoticed. */
export const sealOf = (
  before: string,
  { part, entries, link, refusals, refusalsLink }: SealContent,
): string =>
  createHash('sha256').update([before, part, entries, link, refusals, refusalsLink].join('\n')).digest('hex');

export const FIRST_SEAL = startOf(SEALS).toString('hex');

const LOCK = 'select true as c0 from cadeia_auditoria for update skip locked';

/**
 * Parts that have been complete and chained for some time ($1) and are not sealed: first the part from before the
 * months, then each month two days after its end. No transaction lasts so long, and refusals are written within a day.
 * After the clock was ahead, `ate_momento` may still be to come.
 */
const TO_SEAL = `select p.parte as c0 from (
    select 'antes' as parte, 0 as ordem from cadeia_auditoria
    where antes_id is null
      and (select max(criado_em) from elo_auditoria where cadeia in ('antes', 'antes-recusas')) + $1::interval
        < least(ate_momento, now())
  union all
    select replace(substr(c.relname, 11), '_', '-'), 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid, cadeia_auditoria
    where i.inhparent = 'auditoria'::regclass and c.relname ~ '^auditoria_[0-9]{4}_[0-9]{2}$'
      and (to_date(substr(c.relname, 11), 'YYYY_MM') + interval '1 month 2 days') at time zone 'UTC' + $1::interval
        < least(ate_momento, now())
) p where not exists (select from selo_auditoria s where s.parte = p.parte) order by p.ordem, p.parte`;

/** Parts that could have been sealed for some time. `since`: a PostgreSQL interval. */
export const partsToSeal = async (reader: Reader, since: string): Promise<string[]> =>
  (await reader.rows(TO_SEAL, [since])).map(([part]) => part as string);

const LAST = `select numero as c0, encode(selo, 'hex') as c1 from selo_auditoria order by numero desc limit 1`;

const SEAL = `insert into selo_auditoria (parte, numero, entradas, elo, recusas, elo_recusas, selo)
select parte, numero, entradas, decode(elo, 'hex'), recusas, decode(elo_recusas, 'hex'), decode(selo, 'hex')
from jsonb_to_recordset($1::jsonb) as r (parte text, numero int, entradas bigint, elo text, recusas bigint,
  elo_recusas text, selo text)`;

/** Creates the tables of the next months. */
export const prepareMonths = (orm: MikroORM): Promise<unknown> =>
  orm.em.fork().execute('select auditoria_preparar_meses()');

/** Seals the parts that are complete, or `only` these of them. Returns the new heads of the chain of seals. */
export const sealParts = (orm: MikroORM, only?: readonly string[]): Promise<Head[]> =>
  orm.em.fork().transactional(async em => {
    const reader = transactionReader(em);
    if ((await reader.rows(LOCK, [])).length === 0) return [];
    const parts = (await partsToSeal(reader, '0')).filter(part => only?.includes(part) ?? true);
    if (parts.length === 0) return [];
    const ends = await endsOf(reader, parts.flatMap(chainsOf));
    let [[number, before] = [0, FIRST_SEAL]] = (await reader.rows(LAST, [])) as [number, string][];
    const seals = parts.map((part, i) => {
      const [entries, refusals] = [ends[2 * i]!, ends[2 * i + 1]!];
      const sealed = {
        part,
        entries: entries.count,
        link: entries.link,
        refusals: refusals.count,
        refusalsLink: refusals.link,
      };
      before = sealOf(before, sealed);
      number += 1;
      return { ...sealed, number, seal: before };
    });
    const rows = seals.map(({ part, number: numero, entries, link, refusals, refusalsLink, seal }) => ({
      parte: part,
      numero,
      entradas: entries,
      elo: link,
      recusas: refusals,
      elo_recusas: refusalsLink,
      selo: seal,
    }));
    await reader.rows(SEAL, [JSON.stringify(rows)]);
    return seals.map(one => ({ chain: SEALS, count: one.number, link: one.seal }));
  });
