import type { Reader } from '../../database/reader.ts';
import { isStorageAway } from '../../storage/away.ts';
import { Patience } from '../../storage/patience.ts';
import type { Storage } from '../../storage/storage.ts';
import { archivedEntries, findingOf, unreadFinding } from './archive-file.ts';
import type { Head } from './links.ts';
import { chainsOf, isOfRefusals, tableOf } from './parts.ts';
import { FIRST_SEAL, SEALS, sealOf, partsToSeal } from './seal.ts';
import { readSeals, type StoredSeal } from './seals.ts';
import { storedLinks, unlinked } from './stored.ts';
import type { Progress, Verification } from './verification.ts';
import { Findings, type KeptHeads, Walk } from './walk.ts';

const PARTS = `select distinct replace(cadeia, '-recusas', '') as c0 from elo_auditoria
union select parte from selo_auditoria
union select replace(substr(c.relname, 11), '_', '-') from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'auditoria'::regclass
union select 'antes' order by 1`;

const FACTS = `select extract(epoch from now() - interval '1 year')::float8 as c0,
  case when ate_transacao is null then (select count(*) from auditoria)
    else (select count(*) from auditoria a where (a.transacao, a.id) > (c.ate_transacao, c.ate_id)) end::text as c1,
  case when antes_id is null then 0 else (select count(*) from auditoria_antes a where a.id > c.antes_id) end::text as c2
from cadeia_auditoria c`;

const DAY_SECONDS = 86_400;

/** Compares a trail part by part. It reads in one transaction. */
export class Verifier {
  readonly #findings = new Findings();
  readonly #unread: string[] = [];
  readonly #patience = new Patience();
  readonly #heads: Head[] = [];
  #entries = 0;
  #forgotten = 0;
  #matching = 0;
  /** Refusals before this time, in seconds since 1970, may have been deleted. */
  #yearAgo = 0;

  constructor(
    private readonly reader: Reader,
    private readonly storage: Storage,
    private readonly kept: KeptHeads,
    private readonly progress: Progress,
  ) {}

  async verify(): Promise<Verification> {
    const [facts] = (await this.reader.rows(FACTS, [])) as [number, string, string][];
    this.#yearAgo = facts![0];
    const seals = await readSeals(this.reader);
    this.#verifySeals(seals);
    const parts = (await this.reader.rows(PARTS, [])).map(([part]) => part as string);
    for (const part of parts)
      await this.#verifyPart(
        part,
        seals.find(seal => seal.part === part),
      );
    for (const part of await partsToSeal(this.reader, '1 day'))
      this.#findings.add(
        'no seal',
        `${part} is complete but has no seal: it was removed, or no service ran for six hours on end`,
      );
    const known = new Set([SEALS, ...parts.flatMap(chainsOf)]);
    for (const chain of this.kept.chains.filter(name => !known.has(name)))
      this.#findings.add('head', `a head was kept of the chain ${chain}, which is not there: it was removed`);
    return {
      findings: this.#findings.sentences,
      unread: this.#unread,
      entries: this.#entries,
      forgotten: this.#forgotten,
      waiting: Number(facts![1]) + Number(facts![2]),
      kept: this.kept.size,
      matching: this.#matching,
      heads: this.#heads,
    };
  }

  #verifySeals(seals: readonly StoredSeal[]): void {
    const kept = this.kept.of(SEALS);
    let before = FIRST_SEAL;
    for (const [i, seal] of seals.entries()) {
      if (seal.number !== i + 1 || seal.seal !== sealOf(before, seal))
        this.#findings.add(
          'seal',
          `the seal of ${seal.part} does not fit: it or one before it was changed or removed`,
        );
      before = seal.seal;
      this.#compare({ chain: SEALS, count: i + 1, link: before }, kept);
    }
    const last = Math.max(0, ...kept.keys());
    if (last > seals.length)
      this.#findings.add(
        'seal',
        `there are ${seals.length} seals, but a head was kept of seal ${last}: the last ones were removed`,
      );
    if (seals.length > 0) this.#heads.push({ chain: SEALS, count: seals.length, link: before });
  }

  #compare(head: Head, kept: ReadonlyMap<number, string>): void {
    const link = kept.get(head.count);
    if (link === head.link) this.#matching += 1;
    else if (link !== undefined)
      this.#findings.add(
        'head',
        `${head.chain} ${head.count} is not the one that was kept: it was rewritten up to there`,
      );
  }

  async #verifyPart(part: string, seal: StoredSeal | undefined): Promise<void> {
    if (seal?.file) return this.#verifyArchive(seal, seal.file);
    const [row] = await this.reader.rows('select to_regclass($1) is not null', [tableOf(part)]);
    const hasTable = row![0] as boolean;
    if (!hasTable) this.#findings.add('table', `the table ${tableOf(part)} is not there: it was removed`);
    for (const chain of chainsOf(part)) {
      const walk = this.#walk(chain);
      await this.#followStored(part, walk, hasTable);
      this.#finish(walk, seal);
      if (!hasTable) continue;
      for (const id of await unlinked(this.reader, part, chain))
        this.#findings.add(
          `${chain} unlinked`,
          `entry ${id} of ${chain} has no link: it was added later, or its link was removed`,
        );
    }
  }

  async #followStored(part: string, walk: Walk, hasTable: boolean): Promise<void> {
    // Entries are chained in the order in which they were made, within a day. So all entries after a young one are
    // young.
    let isYoung = /^\d/.test(part) && Date.parse(`${part}-01T00:00:00Z`) / 1000 > this.#yearAgo;
    for await (const { place, id, link, text, moment } of storedLinks(
      this.reader,
      part,
      walk.chain,
      hasTable,
    )) {
      if (place !== walk.count + 1) walk.skipTo(place - 1);
      walk.take(id, link, text);
      isYoung ||= moment !== undefined && moment > this.#yearAgo + DAY_SECONDS;
      if (text !== undefined) this.#entries += 1;
      else if (isOfRefusals(walk.chain) && !isYoung) this.#forgotten += 1;
      else if (hasTable)
        this.#findings.add(
          `${walk.chain} removed`,
          `entry ${id} of ${walk.chain} is not there: it was removed`,
        );
      this.progress(walk.chain, walk.count);
    }
  }

  async #verifyArchive(seal: StoredSeal, file: NonNullable<StoredSeal['file']>): Promise<void> {
    const [chain, refusals] = chainsOf(seal.part);
    // The refusals are deleted, and their links with them. The end of their chain is in the seal.
    this.#forgotten += seal.refusals;
    this.#compare({ chain: refusals, count: seal.refusals, link: seal.refusalsLink }, this.kept.of(refusals));
    const walk = this.#walk(chain);
    try {
      for await (const { id, link, text } of archivedEntries(this.storage, file)) {
        walk.take(id, link, text);
        this.progress(chain, walk.count);
      }
      this.#patience.answered();
    } catch (error) {
      if (isStorageAway(error)) {
        this.#patience.passOver(error);
        this.#unread.push(unreadFinding(seal.part, file));
        return;
      }
      this.#findings.add('archive', findingOf(seal.part, file, error));
    }
    this.#entries += walk.count;
    this.#finish(walk, seal);
  }

  #walk(chain: string): Walk {
    return new Walk(chain, this.kept.of(chain), this.#findings);
  }

  #finish(walk: Walk, seal: StoredSeal | undefined): void {
    walk.end();
    this.#matching += walk.matching;
    const { chain, count } = walk;
    if (!seal) {
      if (count > 0) this.#heads.push({ chain, count, link: walk.link });
      return;
    }
    const [entries, link] = isOfRefusals(chain)
      ? [seal.refusals, seal.refusalsLink]
      : [seal.entries, seal.link];
    if (count !== entries)
      this.#findings.add('end', `chain ${chain} has ${count} entries, but was sealed with ${entries}`);
    else if (walk.link !== link)
      this.#findings.add('end', `chain ${chain} does not end as it was sealed: it was rewritten`);
  }
}
