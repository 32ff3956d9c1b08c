/** The results of a program, for a test to check. */
export interface Outcome {
  /** The person who logged in. */
  person: string;
  /** The first material found, with its unit. */
  found: { total: number; title: string; unit: string | null };
  /** State of the movement that it created, and of the request that was then approved. */
  created: string | number;
  approved: string;
  /** First characters of the file that it downloaded. */
  downloaded: string;
  /** Code of the error for a record that does not exist. */
  refused: string | undefined;
}

export interface Service {
  url: string;
  system: { 'app-name': string; 'api-key': string; appversion: string };
}

export const keeper = { username: 'almoxarife', password: 'demo-almoxarife-2026' };
export const admin = { username: 'admin', password: 'demo-admin-2026' };

export function need<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

export const beginning = async (file: Blob): Promise<string> => (await file.text()).slice(0, 4);
