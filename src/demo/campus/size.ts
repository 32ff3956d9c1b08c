/** Numbers of records of a whole university. */
const WHOLE = {
  students: 33_000,
  teachers: 2_500,
  staff: 4_500,
  accounts: 1_500,
  departments: 120,
  courses: 160,
  enrolments: 60_000,
  activities: 600_000,
  /** Teaching plans of a term. */
  plans: 3_000,
  companies: 600,
  places: 400,
  materials: 20_000,
  minimums: 500,
  invoices: 8_000,
  batches: 40_000,
  movements: 300_000,
  /** Movements that still wait for approval. */
  waiting: 40,
  /** Logins of a day. */
  logins: 20_000,
} as const;

export type CampusSize = Record<keyof typeof WHOLE, number>;

/** Least number of each, so that links always find a record. */
const FEWEST = 5;

/** Numbers of records of a part of a university. */
export const campusSize = (scale: number): CampusSize =>
  Object.fromEntries(
    Object.entries(WHOLE).map(([name, whole]) => [name, Math.max(FEWEST, Math.round(whole * scale))]),
  ) as CampusSize;

/** Terms of which there are teaching plans, the current one included. */
export const TERMS = 8;
/** Days of which there are logins. */
export const LOGIN_DAYS = 3;
