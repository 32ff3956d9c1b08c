import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

const CALENDAR_DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})$/;

/** Converts `2026-11-20` or `2026/11/20` to `2026-11-20`; undefined when the text is not a calendar day. */
export function calendarDate(text: unknown): string | undefined {
  const match = typeof text === 'string' ? CALENDAR_DATE.exec(text) : null;
  if (!match) return undefined;
  const iso = `${match[1]}-${match[2]}-${match[3]}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // Date turns 30 February into a day of March, so only a day that comes back unchanged exists. PostgreSQL has no year
  // 0.
  return match[1] !== '0000' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
    ? iso
    : undefined;
}

function parseDate(value: unknown, nodes?: ValueNode): string {
  const date = calendarDate(value);
  if (date === undefined)
    throw new GraphQLError('A Date is written YYYY-MM-DD (or YYYY/MM/DD) and must exist in the calendar.', {
      nodes,
    });
  return date;
}

/** A calendar day. It is text in the whole service, so that no time zone can change it. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  description: 'A calendar day, `YYYY-MM-DD`. `YYYY/MM/DD` is accepted as input.',
  serialize: value => value as string,
  parseValue: value => parseDate(value),
  parseLiteral: node => parseDate(node.kind === Kind.STRING ? node.value : undefined, node),
});

const MOMENT = /^[\d-]{10}T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function parseMoment(value: unknown, nodes?: ValueNode): string {
  const isWritten = typeof value === 'string' && MOMENT.test(value) && calendarDate(value.slice(0, 10));
  const date = new Date(isWritten ? value : Number.NaN);
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  // The offset may lead out of the years 1 to 9999, and clients could not read such a moment.
  if (!calendarDate(iso.slice(0, 10)))
    throw new GraphQLError(
      'A DateTime is written YYYY-MM-DDThh:mm:ssZ, or with another offset for Z, and is in the years 0001 to 9999 of UTC.',
      { nodes },
    );
  return iso;
}

/** A timestamp in UTC. The list engine already returns ISO 8601 text. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  description:
    'A moment in UTC, ISO 8601: `2026-11-20T13:45:00.000Z`. Another offset for `Z` is accepted as input.',
  serialize: value => (value instanceof Date ? value.toISOString() : (value as string)),
  parseValue: value => parseMoment(value),
  parseLiteral: node => parseMoment(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parseCursor(value: unknown, nodes?: ValueNode): string {
  if (typeof value !== 'string') throw new GraphQLError('A Cursor is a string.', { nodes });
  return value;
}

/** The position in a list where its next page begins. */
export const CursorScalar = new GraphQLScalarType<string, string>({
  name: 'Cursor',
  description: 'A place in a list. It is opaque: send it back as it came.',
  serialize: value => value as string,
  parseValue: value => parseCursor(value),
  parseLiteral: node => parseCursor(node.kind === Kind.STRING ? node.value : undefined, node),
});
