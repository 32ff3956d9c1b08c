import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The login with which requests are sent. */
const login = z.strictObject({
  username: z.string(),
  password: z.string(),
  'app-name': z.string(),
  'api-key': z.string(),
  appversion: z.string().optional(),
});
const logins = z.union([
  z.strictObject({ old: login, new: login }),
  login.transform(one => ({ old: one, new: one })),
]);

export type Login = z.infer<typeof login>;
export type Logins = z.infer<typeof logins>;

/** Reads a file with one login for both services, or one for each. @throws Error when it has another content */
export async function readLogins(file: string): Promise<Logins> {
  const { success, data } = logins.safeParse(JSON.parse(await readFile(file, 'utf8')));
  // The parser's messages are not shown, because they would quote the passwords.
  if (!success)
    throw new Error(`${file} must have username, password, app-name and api-key; see docs/migration.md`);
  return data;
}
