import type { Standby } from '../database/standby.ts';
import type { Standbys } from '../database/standbys.ts';
import { Totals } from '../listing/totals.ts';
import { SessionReads, type Place, type Seen, type StandbyPlace } from './session-reads.ts';

/** The servers that the sessions of this process read from. */
export class ReadPlaces {
  readonly #standbys = new Map<Standby, StandbyPlace>();

  constructor(
    private readonly primary: Place,
    private readonly standbys: Standbys,
  ) {
    for (const standby of standbys.all) {
      const { reads, exports } = standby.connections;
      const place = { standby, reader: reads.reader, exports, totals: new Totals(reads.reader) };
      this.#standbys.set(standby, place);
    }
  }

  /** The reads of a session; undefined if there are no standbys. */
  of(idSessao: number, seen: Seen): SessionReads | undefined {
    const found = this.standbys.of(idSessao);
    const standby = found && this.#standbys.get(found);
    return standby && new SessionReads(idSessao, seen, { primary: this.primary, standby }, this.standbys);
  }
}
