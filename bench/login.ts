import { demoPassword, DEMO_API_KEY } from '../src/database/seeds/demo-people.ts';

/** The token of a new login of the demo's administrator. */
export async function login(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'app-name': 'SII',
      'api-key': DEMO_API_KEY,
      appversion: 'bench',
    },
    body: JSON.stringify({ username: 'admin', password: demoPassword('admin') }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`login: ${response.status}`);
  return token;
}
