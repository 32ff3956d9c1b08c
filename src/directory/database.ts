import { LockMode } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verifyPassword } from '../access/passwords.ts';
import type { Context } from '../request/context.ts';
import type { Lock } from '../database/turns.ts';
import { writing, writingAs } from '../request/writing.ts';
import { ContaGerencial } from '../entities/institucional/conta-gerencial.ts';
import { ResponsavelConta } from '../entities/institucional/responsavel-conta.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import type { Listing } from '../listing/listing.ts';
import { endCodes } from './codes.ts';
import { readEntries } from './database-entries.ts';
import type {
  AccountChange,
  Alongside,
  Directory,
  DirectoryEntry,
  Entries,
  EntryFilter,
  EntryPart,
} from './directory.ts';

/** The directory in the service's own database. Its people are those of the service. Accounts are separate entries. */
export class DatabaseDirectory implements Directory {
  readonly people = undefined;
  readonly ask = undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly listing: Listing,
  ) {}

  entries(filter: EntryFilter, part: EntryPart): Promise<Entries> {
    return readEntries(this.listing.reader, filter, part);
  }

  async change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void> {
    const { idPessoa } = await context.session();
    await writing({ context }, async em => {
      const row = await em.findOneOrFail(ContaGerencial, Number(account.key));
      em.assign(row, { ...change, alteradoPor: idPessoa });
    });
  }

  async attach(
    context: Context,
    account: DirectoryEntry,
    person: DirectoryEntry,
    alongside: Alongside,
  ): Promise<void> {
    const { idPessoa } = await context.session();
    const holder = { conta: Number(account.key), pessoa: Number(person.key) };
    await writing({ context }, async em => {
      await alongside(em);
      await em.insert(ResponsavelConta, { ...holder, criadoPor: idPessoa, alteradoPor: idPessoa });
    });
  }

  async handOver(
    context: Context,
    account: DirectoryEntry,
    { from, to }: { from: DirectoryEntry; to: DirectoryEntry },
    alongside: Alongside,
  ): Promise<void> {
    const { idPessoa } = await context.session();
    await writing({ context }, async em => {
      await alongside(em);
      const held = { conta: Number(account.key), pessoa: Number(from.key) };
      const holder = await em.findOne(ResponsavelConta, held, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!holder) throw new AppError('CONFLICT', { detail: messages.changedMeanwhile });
      em.assign(holder, { pessoa: Number(to.key), alteradoPor: idPessoa });
    });
  }

  async detach(
    context: Context,
    _accounts: readonly DirectoryEntry[],
    person: DirectoryEntry | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<void> {
    await writingAs({ context }, { locks }, async em => {
      await alongside(em);
      if (!person) return;
      // Also what somebody has attached since the accounts were read.
      const held = await em.find(
        ResponsavelConta,
        { pessoa: Number(person.key) },
        { populate: ['conta'], lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      await endCodes(
        em,
        held.map(({ conta }) => conta.email),
      );
      await em.nativeDelete(ResponsavelConta, { id: held.map(({ id }) => id) });
    });
  }

  /** Only people log in here, never accounts. */
  async usersOf(): Promise<string[]> {
    return [];
  }

  async isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean> {
    const row = await this.orm.em.fork().findOne(ContaGerencial, Number(account.key));
    return verifyPassword(row?.senhaHash ?? undefined, password);
  }

  async close(): Promise<void> {}
}
