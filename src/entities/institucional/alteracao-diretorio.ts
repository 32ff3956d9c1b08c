import { Entity, Property } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import { Registro } from '../registro.ts';

/**
 * A change of an entry on an external server. It is written before the request and confirmed after the answer, so that
 * the audit trail contains every change. A failed change stays unconfirmed.
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
