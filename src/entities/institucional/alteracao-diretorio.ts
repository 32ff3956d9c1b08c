import { Entity, Property } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import { Registro } from '../registro.ts';

/**
 * A change of an entry that a server outside keeps. It is written before that server is asked, and confirmed when it
 * has answered: so none is without its row in the audit trail, and one that failed shows as not confirmed.
 */
@Entity()
export class AlteracaoDiretorio extends Registro {
  @Property({ type: 'string', length: 254 })
  email!: string;

  /** Each changed attribute as `[before, after]`. */
  @Property({ type: 'json' })
  alteracoes!: Record<string, [before: unknown, after: unknown]>;

  @Property({ type: 'boolean', default: false })
  confirmada!: Opt<boolean>;
}
