import { calendarDate } from '../entities/scalars.ts';

const DAY = String.raw`(?:(?<y>\d{4})(?<sep>[-/])(?<m>\d{2})\k<sep>(?<d>\d{2})|(?<d2>\d{2})/(?<m2>\d{2})/(?<y2>\d{4}))`;
const TIME = String.raw`(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)`;
// In a URL, an unencoded plus is decoded to a blank.
const OFFSET = String.raw`(?<offset>Z|(?<sign>[+\- ])(?<oh>\d{2}):?(?<om>\d{2})?)`;
const WRITTEN = new RegExp(`^${DAY}(?:[T ]${TIME} ?${OFFSET}?)?$`, 'i');

/**
 * The day `YYYY-MM-DD` of a date in a format of old clients: `YYYY-MM-DD`, `YYYY/MM/DD` or `DD/MM/YYYY`, with or
 * without a time. A time with an offset is converted to the institution's time zone. Undefined for anything else.
 */
export function legacyDate(value: unknown, timeZone: string): string | undefined {
  const parts = typeof value === 'string' ? WRITTEN.exec(value.trim())?.groups : undefined;
  if (!parts) return undefined;
  const { y = parts['y2'], m = parts['m2'], d = parts['d2'], time, offset } = parts;
  const day = calendarDate(`${y}-${m}-${d}`);
  if (day === undefined || time === undefined) return day;
  const moment = new Date(`${day}T${time}${offset ? zone(parts) : 'Z'}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  return offset ? calendarDate(dayIn(timeZone, moment)) : day;
}

const zone = ({ sign, oh, om = '00' }: Record<string, string | undefined>): string =>
  sign ? `${sign === '-' ? '-' : '+'}${oh}:${om}` : 'Z';

function dayIn(timeZone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(moment).padStart(10, '0');
}
