import type { FilterDeclaration } from '../../src/listing/declaration.ts';
import { argumentRules } from '../../src/rest/rule-schema.ts';
import { systemHeaders } from './client.ts';
import { ask, valueAt, type TestedList } from './lists.ts';
import type { TestService } from './service.ts';

type Row = Record<string, unknown>;

/** Orders texts by Portuguese collation, numbers and flags by size, and empty values last. */
const portuguese = new Intl.Collator('pt-BR');
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' ? portuguese.compare(a, b as string) : Number(a) - Number(b);
}

/** All records, unpaginated if the list allows it, as GraphQL literals. */
export function everything({ declaration: { paging } }: TestedList): Record<string, string> {
  return paging === 'always' ? { itemsPerPage: '1000' } : { pagination: 'false' };
}

/** A list in memory. It computes the right answer to any request in the simplest way. */
export class ListModel {
  private constructor(
    private readonly service: TestService,
    readonly list: TestedList,
    readonly rows: Row[],
    private readonly foldedTexts: ReadonlyMap<string, string>,
  ) {}

  static async load(service: TestService, list: TestedList): Promise<ListModel> {
    const { filters, orders, usually } = list.declaration;
    const paths = [
      ...new Set([
        ...filters.flatMap(filter => filter.paths),
        ...[...orders, ...usually].map(order => order.path),
      ]),
    ];
    const admin = (await service.as('admin')).with(systemHeaders);
    const { data } = await ask(admin, list, everything(list), paths);
    const texts = [...new Set(data.flatMap(row => paths.map(path => String(valueAt(row, path) ?? ''))))];
    const folded = await fold(service, texts);
    return new ListModel(service, list, data, new Map(texts.map((text, i) => [text, folded[i]!])));
  }

  filter(argument: string): FilterDeclaration {
    return this.list.declaration.filters.find(filter => filter.argument === argument)!;
  }

  /**
   * A value for a filter that some record has: that of the record after `skip` others. If the filter matches parts, a
   * part of it.
   */
  sample(argument: string, skip = 0, from = 0, length = 5): unknown {
    const { paths, match } = this.filter(argument);
    if (this.list.flags.includes(argument)) return true;
    const values = this.rows.map(row => valueAt(row, paths[0]!)).filter(found => found !== null);
    const found = values[skip % Math.max(1, values.length)];
    if (match === 'day' || match === 'fromDay' || match === 'untilDay')
      return localDay(String(found ?? '2026-01-01T12:00:00Z'));
    if (match === 'above') return Math.max(0, ((found as number | undefined) ?? 0) - 1);
    if (match === 'member') return (found as unknown[] | undefined)?.[0] ?? 0;
    if (match !== 'text')
      return found ?? (this.list.numbers.includes(argument) ? this.least(argument) : '2026-01-01');
    const letters = [...String(found ?? 'nada')];
    return letters.slice(from % letters.length, (from % letters.length) + length).join('');
  }

  /** The least number that a filter takes. */
  private least(argument: string): unknown {
    return argumentRules(this.list.field, argument)['minimum'] ?? 0;
  }

  /** The records that a filter finds, ordered by id. */
  async matching(argument: string, given: unknown, rows: Row[] = this.rows): Promise<Row[]> {
    const { paths, match, value } = this.filter(argument);
    const wanted = value(given);
    const [folded] = await fold(this.service, [String(wanted)]);
    const isMatch = (found: unknown): boolean => {
      if (match === 'text') return found !== null && this.foldedTexts.get(String(found))!.includes(folded!);
      if (match === 'day') return found !== null && localDay(String(found)) === wanted;
      if (match === 'fromDay') return found !== null && localDay(String(found)) >= String(wanted);
      if (match === 'untilDay') return found !== null && localDay(String(found)) <= String(wanted);
      // Numbers, or timestamps as text.
      if (match === 'from') return found !== null && (found as string) >= (wanted as string);
      if (match === 'above') return found !== null && (found as number) > (wanted as number);
      if (match === 'until') return found !== null && (found as string) <= (wanted as string);
      if (match === 'member') return (found as unknown[]).includes(wanted);
      return found === wanted;
    };
    return rows.filter(row => paths.some(path => isMatch(valueAt(row, path))));
  }
}

const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' });
const localDay = (moment: string): string => days.format(new Date(moment));

/** Folds texts with the database: its dictionary has more characters than JavaScript. */
async function fold(service: TestService, texts: string[]): Promise<string[]> {
  const rows = await service.sql(
    'select fold(t) from unnest($1::text[]) with ordinality as u(t, i) order by i',
    [texts],
  );
  return rows.flat() as string[];
}
