import { IsolationLevel } from '@mikro-orm/core';
import { transactionReader } from '../../database/reader.ts';
import type { Services } from '../../request/services.ts';
import type { Head } from './links.ts';
import type { Progress, Verification } from './verification.ts';
import { Verifier } from './verifier.ts';
import { KeptHeads } from './walk.ts';

/** Between two statements the archives of months are read, and millions of entries take minutes. No write waits for it. */
const PATIENT = `set local idle_in_transaction_session_timeout = '24h'`;

/**
 * Compares the whole trail with its chains, its seals, and the heads that were stored outside the database.
 * @throws UNAVAILABLE when the storage does not send several archives in a row
 */
export const verifyTrail = (
  { orm, storage }: Pick<Services, 'orm' | 'storage'>,
  heads: readonly Head[],
  progress: Progress,
): Promise<Verification> =>
  orm.em.fork().transactional(
    async em => {
      await em.execute(PATIENT);
      return new Verifier(transactionReader(em), storage, new KeptHeads(heads), progress).verify();
    },
    {
      isolationLevel: IsolationLevel.REPEATABLE_READ,
      readOnly: true,
    },
  );
