import { escapeFilter, type Entry } from 'ldapts';
import { type DirectoryEntry, type EntryName } from './directory.ts';
import type { LdapAttributes, LdapSettings } from './ldap-settings.ts';

/** An entry as the service uses it, with the DNs of those who hold it. */
export interface LdapEntry extends DirectoryEntry {
  holders: string[];
}

/** The texts of an attribute, however the server spells its name. */
export function valuesOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find(key => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : entry[name]!;
  return (Array.isArray(values) ? values : [values]).map(String);
}

/** What is read of an entry; never its password. */
export const attributesRead = ({
  email,
  nome,
  descricao,
  cpf,
  holder,
  suspended,
}: LdapAttributes): string[] => [email, nome, descricao, cpf, holder, suspended];

/** Whether the directory says that an entry may not be used. */
export const isSuspended = (entry: Entry, { attributes, suspendedValue }: LdapSettings): boolean =>
  valuesOf(entry, attributes.suspended).includes(suspendedValue);

export function entryOf(entry: Entry, contaGerencial: boolean, settings: LdapSettings): LdapEntry {
  const { attributes } = settings;
  const first = (attribute: string): string | undefined => valuesOf(entry, attribute)[0];
  const email = first(attributes.email) ?? '';
  return {
    key: entry.dn,
    email,
    nome: first(attributes.nome) ?? email,
    descricao: contaGerencial ? (first(attributes.descricao) ?? null) : null,
    employeetype: contaGerencial ? null : (first(attributes.cpf)?.replaceAll(/\D/g, '') ?? null),
    contaGerencial,
    suspensa: isSuspended(entry, settings),
    possuiSenha: false,
    contasGerenciais: [],
    responsaveis: [],
    holders: contaGerencial ? valuesOf(entry, attributes.holder) : [],
  };
}

export const nameOf = ({ email, nome }: DirectoryEntry): EntryName => ({ email, nome });

/** A DN in one spelling: `UID=a\2Cb, OU=x` and `uid=a\,b,ou=x` are the same. */
export function dnKey(dn: string): string {
  const parts = dn.match(/(?:\\[0-9a-f]{2}|\\.|[^,\\])+/gis) ?? [];
  return parts
    .map(part => {
      const [type = '', ...value] = part.split('=');
      return `${type.trim().toLowerCase()}=${unescaped(value.join('=').trim()).toLowerCase()}`;
    })
    .map(part => JSON.stringify(part))
    .join(',');
}

/** The text behind a DN's escapes, which name bytes of UTF-8 or single characters. */
function unescaped(value: string): string {
  const bytes = value.match(/\\[0-9a-f]{2}|\\?[^]/giu)?.map(token => {
    if (/^\\[0-9a-f]{2}$/i.test(token)) return Buffer.from(token.slice(1), 'hex');
    return Buffer.from(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  });
  return Buffer.concat(bytes ?? []).toString();
}

/** A filter of the settings, narrowed by conditions of which each names an attribute of the settings. */
export const narrowed = (filter: string, ...conditions: string[]): string =>
  conditions.length > 0 ? `(&${filter}${conditions.join('')})` : filter;

/** That an attribute has a value, whatever characters that is made of. */
export const equal = (attribute: string, value: string): string => `(${attribute}=${escapeFilter`${value}`})`;

export const anyOf = (conditions: readonly string[]): string => `(|${conditions.join('')})`;

/** A CPF as directories write it: digits alone, or with its punctuation. */
export const cpfSpellings = (digits: string): string[] => [
  digits,
  digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4'),
];
