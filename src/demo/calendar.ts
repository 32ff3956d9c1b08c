export const DAY_MS = 86_400_000;

/** The day so many days after another; both `YYYY-MM-DD`. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** National holidays on fixed dates. */
const HOLIDAYS = new Set(['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']);

const isWorkingDay = (day: string): boolean =>
  ![0, 6].includes(new Date(day).getUTCDay()) && !HOLIDAYS.has(day.slice(5));

/** Working days before `today`, the latest first; more than one year. */
const workingDaysBefore = (today: string): string[] =>
  Array.from({ length: 400 }, (_, i) => addDays(today, -1 - i)).filter(isWorkingDay);

/**
 * Replaces relative dates in the demo's files, so that the demo is always recent. `{dia:-30}` is the day 30 days ago.
 * `{util:-3}` is the third working day before today. `{ano:-1}` and `{semestre:-1}` are the year and the half (1 or 2)
 * of the previous semester.
 * @param today `YYYY-MM-DD`
 */
export function demoCalendar(today: string): (cell: string) => string {
  const workingDays = workingDaysBefore(today);
  const [year, month] = today.split('-').map(Number) as [number, number];
  const semester = year * 2 + (month <= 6 ? 0 : 1);
  const units: Readonly<Record<string, (n: number) => string | number | undefined>> = {
    dia: n => addDays(today, n),
    util: n => workingDays[-1 - n],
    ano: n => Math.floor((semester + n) / 2),
    semestre: n => ((semester + n) % 2) + 1,
  };
  return cell =>
    cell.replaceAll(/\{(dia|util|ano|semestre):(-?\d+)\}/g, (_, unit: string, n: string) =>
      String(units[unit]!(Number(n))),
    );
}
