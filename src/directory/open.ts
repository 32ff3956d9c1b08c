import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../config.ts';
import type { Listing } from '../listing/listing.ts';
import { DatabaseDirectory } from './database.ts';
import type { Directory } from './directory.ts';
import { LdapDirectory } from './ldap.ts';
import { ldapSettings } from './ldap-settings.ts';

/** The configured directory: an LDAP server, or the service's own database. */
export function openDirectory(config: Config, orm: MikroORM, listing: Listing): Directory {
  const settings = ldapSettings(config);
  return settings ? new LdapDirectory(settings, listing.reader) : new DatabaseDirectory(orm, listing);
}
