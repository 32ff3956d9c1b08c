import {
  BerWriter,
  ConstraintViolationError,
  InappropriateAuthError,
  InvalidCredentialsError,
  NoSuchObjectError,
  UnwillingToPerformError,
  DN,
  type Client,
} from 'ldapts';
import { newSecret } from '../access/secrets.ts';
import type { Context } from '../request/context.ts';
import { AppError, invalidField } from '../errors.ts';
import { directoryTexts } from './messages.ts';
import type { DirectoryEntry, PeoplePasswords } from './directory.ts';
import { directoryAway, LdapConnections } from './ldap-connections.ts';
import { LdapReader } from './ldap-reader.ts';
import { changeOf } from './ldap-search.ts';
import type { LdapSettings } from './ldap-settings.ts';
import { recorded } from './recorded.ts';

/** Errors with which a server rejects a bind. Other errors do not show whether the password is right. */
const REFUSALS = [
  InvalidCredentialsError,
  InappropriateAuthError,
  NoSuchObjectError,
  ConstraintViolationError,
  UnwillingToPerformError,
];

/** RFC 3062 password modify: the server chooses how to store the password. */
const PASSWORD_MODIFY = '1.3.6.1.4.1.4203.1.11.1';
const USER_IDENTITY = 0x80;
const NEW_PASSWORD = 0x82;

/** Passwords in an LDAP directory. A password is verified by a bind. */
export class LdapPasswords implements PeoplePasswords {
  /** Separate from the service's connections, because a bind changes the identity of a connection. */
  readonly #binding: LdapConnections;

  /** `identified`: connections that are authenticated with the service's own DN. */
  constructor(
    private readonly settings: LdapSettings,
    private readonly identified: LdapConnections,
  ) {
    this.#binding = new LdapConnections(settings, false);
  }

  async verify(user: string | null, password: string): Promise<boolean> {
    const deadline = this.identified.deadline();
    const entry = await this.find(user ?? newSecret(), deadline);
    const mayBind = user !== null && entry !== undefined;
    const isRight = await this.binds(
      mayBind ? entry.key : this.#nobody(),
      mayBind ? password : newSecret(),
      deadline,
    );
    return isRight && mayBind && !entry.suspensa;
  }

  async namesOf(user: string): Promise<string[]> {
    return (await this.find(user))?.users ?? [];
  }

  async set(context: Context, user: string, password: string): Promise<boolean> {
    const entry = await this.find(user);
    if (!entry) return false;
    const act = () => this.#set(entry.key, password);
    await recorded(context, entry.email || user, { senha: ['***', '***'] }, act);
    return true;
  }

  /**
   * Whether the server accepts this password for the entry. @throws UNAVAILABLE when it neither accepts nor rejects it
   */
  async binds(dn: string, password: string, deadline?: number): Promise<boolean> {
    // A server treats a bind without a password as anonymous, which always succeeds.
    if (password === '' || dn === '') return false;
    try {
      await this.#binding.use(client => client.bind(dn, password), deadline);
      return true;
    } catch (error) {
      if (REFUSALS.some(refusal => error instanceof refusal)) return false;
      throw error instanceof AppError ? error : directoryAway(error);
    }
  }

  async close(): Promise<void> {
    await this.#binding.close();
  }

  /** The entry of a user; undefined if there is none or several have the name. */
  async find(user: string, deadline?: number): Promise<DirectoryEntry | undefined> {
    const find = (client: Client) => new LdapReader(client, this.settings).named(user);
    return this.identified.use(find, deadline).catch((error: unknown) => {
      throw error instanceof AppError ? error : directoryAway(error);
    });
  }

  /** DN of a user who does not exist. A bind with it takes the same work and is rejected. */
  #nobody(): string {
    const rdn = new DN().addPairRDN(this.settings.login[0]!, newSecret());
    return `${rdn.toString()},${this.settings.users.dn}`;
  }

  async #set(dn: string, password: string): Promise<void> {
    const { passwordChange, attributes } = this.settings;
    try {
      await this.identified.use(async client => {
        if (passwordChange === 'attribute')
          await client.modify(dn, changeOf('replace', attributes.password, password));
        else await client.exop(PASSWORD_MODIFY, passwordModify(dn, password));
      });
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!(error instanceof ConstraintViolationError)) throw directoryAway(error);
      throw invalidField('VALIDATION_FAILED', 'password', directoryTexts.refusedPassword);
    }
  }
}

/** Request of RFC 3062 with the user's DN and the new password. */
function passwordModify(dn: string, password: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeString(dn, USER_IDENTITY);
  writer.writeString(password, NEW_PASSWORD);
  writer.endSequence();
  return writer.buffer;
}
