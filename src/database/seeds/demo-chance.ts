/** Chance that falls the same way each time, so that every demo is alike (Lehmer's generator). */
export class Dice {
  constructor(private state: number) {}

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)]!;
  }

  #next(): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state / 2_147_483_647;
  }
}

const DAY = 86_400_000;

/** A day of the calendar, `YYYY-MM-DD`, so many days after another. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** National holidays that fall on the same day each year. */
const holidays = new Set(['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']);

const isWorkingDay = (day: string): boolean =>
  ![0, 6].includes(new Date(day).getUTCDay()) && !holidays.has(day.slice(5));

/** Working days before `today`, the latest first: over a year of them. */
export const workingDaysBefore = (today: string): string[] =>
  Array.from({ length: 400 }, (_, i) => addDays(today, -1 - i)).filter(isWorkingDay);

/** About how many days of the calendar so many working days are. */
export const calendarDays = (workingDays: number): number => Math.round((workingDays * 7) / 5);
