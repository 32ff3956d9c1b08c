import { DEMO_API_KEY } from '../src/demo/login.ts';
import { PASSWORD } from './people.ts';

/** The headers of a login that name the calling system. */
export const systemHeaders = { 'app-name': 'SII', 'api-key': DEMO_API_KEY, appversion: 'bench' };

/** The token of a new session of one of the demo's people. */
export async function login(url: string, username = 'admin'): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...systemHeaders },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`login: ${response.status}`);
  return token;
}
