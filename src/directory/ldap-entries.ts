import type { Entry } from 'ldapts';
import type { DirectoryEntry } from './directory.ts';
import { normalised } from '../text/normalised.ts';
import type { LdapSettings } from './ldap-settings.ts';

/** The values of an attribute. The case of its name does not matter. */
function valuesOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find(key => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : entry[name]!;
  return (Array.isArray(values) ? values : [values]).map(String);
}

/** The attributes to read from an entry. The password is never among them. */
export const attributesRead = ({ attributes, login }: LdapSettings): string[] => {
  const { email, nome, descricao, cpf, holder, suspended } = attributes;
  return [...new Set([email, nome, descricao, cpf, holder, suspended, ...login])];
};

/** An entry, whose key is its DN. Several addresses are shown by the first one. */
export function entryOf(entry: Entry, contaGerencial: boolean, settings: LdapSettings): DirectoryEntry {
  const { attributes, login, suspendedValue } = settings;
  const first = (attribute: string): string | undefined => valuesOf(entry, attribute)[0];
  const email = first(attributes.email) ?? '';
  return {
    key: entry.dn,
    addresses: valuesOf(entry, attributes.email).map(normalised),
    users: login.flatMap(attribute => valuesOf(entry, attribute)).map(normalised),
    email,
    nome: first(attributes.nome) ?? email,
    descricao: contaGerencial ? (first(attributes.descricao) ?? null) : null,
    employeetype: contaGerencial ? null : (first(attributes.cpf)?.replaceAll(/\D/g, '') ?? null),
    contaGerencial,
    suspensa: valuesOf(entry, attributes.suspended).includes(suspendedValue),
    possuiSenha: false,
    contasGerenciais: [],
    responsaveis: [],
    holders: contaGerencial ? valuesOf(entry, attributes.holder) : [],
  };
}

/** A DN whose spelling can differ from others of the same entry only in case. Most are so. */
const PLAIN = /^[\w.@=,-]*$/;

/** Normalised form of a DN: `UID=a\2Cb + cn=c  d, OU=x` and `cn=C d+uid=a\,b,ou=x` are the same. */
export function dnKey(dn: string): string {
  if (PLAIN.test(dn)) return dn.toLowerCase();
  return splitAt(',', dn)
    .map(rdn => splitAt('+', rdn).map(attributeKey).toSorted().join('+'))
    .join(',');
}

const TOKENS = {
  ',': /(?:\\[0-9a-f]{2}|\\.|[^,\\])+/gis,
  '+': /(?:\\[0-9a-f]{2}|\\.|[^+\\])+/gis,
};
const splitAt = (separator: keyof typeof TOKENS, dn: string): string[] => dn.match(TOKENS[separator]) ?? [];

/** As `caseIgnoreMatch` compares: without the case, and with one blank where there are several. */
function attributeKey(attribute: string): string {
  const [type = '', ...value] = attribute.split('=');
  const plain = unescaped(value.join('=')).trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return `${type.trim().toLowerCase()}=${plain.replaceAll(/[\\,+]/g, String.raw`\$&`)}`;
}

/** Whether an entry with a DN is in the subtree of another one. */
export const isBelow = (dn: string, top: string): boolean => `,${dnKey(dn)}`.endsWith(`,${dnKey(top)}`);

/** Resolves the escapes of a DN, which stand for bytes of UTF-8 or single characters. */
function unescaped(value: string): string {
  const bytes = value.match(/\\[0-9a-f]{2}|\\?[^]/giu)?.map(token => {
    if (/^\\[0-9a-f]{2}$/i.test(token)) return Buffer.from(token.slice(1), 'hex');
    return Buffer.from(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  });
  return Buffer.concat(bytes ?? []).toString();
}
