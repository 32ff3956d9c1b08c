import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Who the requests are sent as. */
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

/** The logins of a file: one for both services, or one for each. @throws Error when it says something else */
export async function readLogins(file: string): Promise<Logins> {
  const { success, data } = logins.safeParse(JSON.parse(await readFile(file, 'utf8')));
  // The reasons of the parser would show what stands in the file.
  if (!success)
    throw new Error(`${file} must have username, password, app-name and api-key; see docs/migration.md`);
  return data;
}
