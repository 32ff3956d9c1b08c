import {
  AndFilter,
  EqualityFilter,
  FilterParser,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
  type Filter,
} from 'ldapts';
import type { EntryCondition, FlagAttribute, TextAttribute } from './entry-condition.ts';
import type { LdapSettings } from './ldap-settings.ts';

/** The configured filter combined with further conditions. */
export const narrowed = (filter: string, ...conditions: Filter[]): Filter =>
  new AndFilter({ filters: [FilterParser.parseString(filter), ...conditions] });

export const equal = (attribute: string, value: string): Filter => new EqualityFilter({ attribute, value });

export const present = (attribute: string): Filter => new PresenceFilter({ attribute });

export const anyOf = (filters: Filter[]): Filter => new OrFilter({ filters });

/** The condition that an attribute is this CPF, spelled with digits only or with punctuation. */
export const hasCpf = (attribute: string, digits: string): Filter =>
  anyOf(
    [digits, digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')].map(one =>
      equal(attribute, one),
    ),
  );

/** True for all entries: every entry has a class. */
const ALWAYS = present('objectClass');
export const NEVER = new NotFilter({ filter: ALWAYS });
const constant = (holds: boolean): Filter => (holds ? ALWAYS : NEVER);

/** The LDAP filter of a condition, for managerial accounts or for people. */
export function ldapFilter(condition: EntryCondition, areAccounts: boolean, settings: LdapSettings): Filter {
  const inside = (part: EntryCondition): Filter => ldapFilter(part, areAccounts, settings);
  if ('and' in condition) return new AndFilter({ filters: [ALWAYS, ...condition.and.map(inside)] });
  if ('or' in condition) return new OrFilter({ filters: [NEVER, ...condition.or.map(inside)] });
  if ('not' in condition) return new NotFilter({ filter: inside(condition.not) });
  if ('flag' in condition) {
    const filter = flagged(condition.flag, areAccounts, settings);
    return condition.value ? filter : new NotFilter({ filter });
  }
  const attribute = attributeOf(condition.text, areAccounts, settings);
  if (attribute === undefined) return constant('isNull' in condition && condition.isNull);
  if ('isNull' in condition)
    return condition.isNull ? new NotFilter({ filter: present(attribute) }) : present(attribute);
  if ('in' in condition)
    return anyOf([
      NEVER,
      ...condition.in
        .filter(value => isValueOf(condition.text, value))
        .map(value =>
          condition.text === 'employeetype' ? hasCpf(attribute, value) : equal(attribute, value),
        ),
    ]);
  const { contains, atStart } = condition;
  if (contains === '') return present(attribute);
  if (!isValueOf(condition.text, contains)) return NEVER;
  return new SubstringFilter({ attribute, ...(atStart ? { initial: contains } : { any: [contains] }) });
}

/**
 * Whether the schema of the server allows this value for the attribute. For other values the result of a filter is
 * undefined in LDAP, and then neither the condition nor its complement matches.
 */
const isValueOf = (text: TextAttribute, value: string): boolean => {
  if (text === 'employeetype') return /^\d+$/.test(value);
  return text === 'email' ? /^[\x20-\x7e]+$/.test(value) : value !== '';
};

function flagged(flag: FlagAttribute, areAccounts: boolean, settings: LdapSettings): Filter {
  const { attributes, suspendedValue } = settings;
  if (flag === 'contaGerencial') return constant(areAccounts);
  return flag === 'suspensa' ? equal(attributes.suspended, suspendedValue) : present(attributes.password);
}

/** The attribute on the server; undefined if such entries do not have it. */
function attributeOf(
  text: TextAttribute,
  areAccounts: boolean,
  { attributes }: LdapSettings,
): string | undefined {
  if (text === 'descricao') return areAccounts ? attributes.descricao : undefined;
  if (text === 'employeetype') return areAccounts ? undefined : attributes.cpf;
  return attributes[text];
}
