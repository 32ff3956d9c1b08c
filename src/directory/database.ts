import { LockMode } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verifyPassword } from '../access/passwords.ts';
import type { Context } from '../request/context.ts';
import type { Lock } from '../database/turns.ts';
import { writing, writingAs } from '../request/writing.ts';
import { ContaGerencial } from '../entities/institucional/conta-gerencial.ts';
import { ResponsavelConta } from '../entities/institucional/responsavel-conta.ts';
import { conflict } from '../errors.ts';
import { messages } from '../messages.ts';
import type { Listing } from '../listing/listing.ts';
import { endCodes } from './codes.ts';
import { keyOfRow, readEntries, rowOfKey } from './database-entries.ts';
import {
  sorted,
  type AccountChange,
  type Alongside,
  type Detached,
  type Directory,
  type DirectoryEntry,
  type Entries,
  type EntryFilter,
  type EntryName,
  type EntryPart,
  type Giving,
  type Person,
} from './directory.ts';

/** The directory in the service's own database. Its people are those of the service. Accounts are separate entries. */
export class DatabaseDirectory implements Directory {
  readonly people = undefined;
  readonly ask = undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly listing: Listing,
  ) {}

  async keyOf({ id }: Person): Promise<string> {
    return keyOfRow('pessoa', id);
  }

  entries(filter: EntryFilter, part: EntryPart): Promise<Entries> {
    return readEntries(this.listing.reader, filter, part);
  }

  async change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void> {
    const { idPessoa } = await context.session();
    await writing({ context }, async em => {
      if (change.suspensa) await endCodes(em, account.addresses);
      const row = await em.findOneOrFail(ContaGerencial, rowOfKey(account.key));
      em.assign(row, { ...change, alteradoPor: idPessoa });
    });
  }

  async give(
    context: Context,
    account: DirectoryEntry,
    { from, to, alone }: { from?: EntryName | undefined; to: DirectoryEntry; alone?: boolean },
    { ensure, once }: Giving,
  ): Promise<void> {
    const { idPessoa } = await context.session();
    const conta = rowOfKey(account.key);
    const pessoa = rowOfKey(to.key);
    await writing({ context }, async em => {
      await ensure(em);
      await once?.(em);
      if (from) {
        const held = { conta, pessoa: rowOfKey(from.key) };
        const holder = await em.findOne(ResponsavelConta, held, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (!holder) throw conflict(messages.changedMeanwhile);
        em.assign(holder, { pessoa, alteradoPor: idPessoa });
        return;
      }
      if (alone) {
        // A new holder locks the account's row as well.
        await em.findOneOrFail(ContaGerencial, conta, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if ((await em.count(ResponsavelConta, { conta })) > 0) throw conflict(messages.changedMeanwhile);
      }
      await em.insert(ResponsavelConta, { conta, pessoa, criadoPor: idPessoa, alteradoPor: idPessoa });
    });
  }

  async detach(
    context: Context,
    person: Pick<EntryName, 'key'> | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<Detached> {
    return writingAs({ context }, { locks }, async em => {
      await alongside(em);
      if (!person) return { accounts: [], isComplete: true };
      // Also what somebody has attached since the caller's permissions were checked.
      const held = await em.find(
        ResponsavelConta,
        { pessoa: rowOfKey(person.key) },
        { populate: ['conta'], lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      const accounts = held.map(({ conta: { id, email, nome } }) => ({
        key: keyOfRow('conta', id),
        email,
        nome,
      }));
      await endCodes(
        em,
        accounts.map(({ email }) => email),
      );
      await em.nativeDelete(ResponsavelConta, { id: held.map(({ id }) => id) });
      return { accounts: sorted(accounts), isComplete: true };
    });
  }

  async isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean> {
    const row = await this.orm.em.fork().findOne(ContaGerencial, rowOfKey(account.key));
    return verifyPassword(row?.senhaHash ?? undefined, password);
  }

  async close(): Promise<void> {}
}
