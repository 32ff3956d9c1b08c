import { systemHeaders } from './login.ts';
import { PASSWORD, type Caller } from './people.ts';
import type { BenchRequest } from './scenario.ts';

/** The calm load: clients of each class, and their pause after each answer. */
export const CALM = {
  read: { clients: 3, pauseMs: 60 },
  write: { clients: 2, pauseMs: 120 },
  login: { clients: 2, pauseMs: 150 },
  csv: { clients: 1, pauseMs: 500 },
  pdf: { clients: 1, pauseMs: 500 },
};
export type Class = keyof typeof CALM;
export const CLASSES = Object.keys(CALM) as Class[];

/** The requests of each class, one for each caller. */
export function requestsOf(callers: readonly Caller[], movement: (token: string, i: number) => BenchRequest) {
  const all = (requests: (caller: Caller, i: number) => BenchRequest): BenchRequest[] =>
    callers.map((caller, i) => {
      const { headers, ...request } = requests(caller, i);
      return { ...request, headers: { ...headers, 'x-forwarded-for': caller.address } };
    });
  const get = (path: string, { token }: Caller): BenchRequest => ({
    method: 'GET',
    path,
    headers: { token },
  });
  const materials = '/almoxarifadoquimicos/materiais';
  return {
    read: all((caller, i) =>
      get(
        i % 2
          ? `${materials}/${1 + (i % 500)}`
          : `${materials}?pagination=true&itemsPerPage=10&orderByTitulo=asc`,
        caller,
      ),
    ),
    write: all(({ token }, i) => movement(token, i)),
    login: all(({ username }) => ({
      method: 'POST',
      path: '/auth/login',
      body: JSON.stringify({ username, password: PASSWORD }),
      headers: { ...systemHeaders, 'content-type': 'application/json' },
    })),
    csv: all(caller => get(`${materials}?export=true&titulo=acido`, caller)),
    pdf: all(caller =>
      get('/relatorios/almoxarifado-quimicos/materiais-estocados?pdf=true&titulo=acido', caller),
    ),
  } satisfies Record<Class, BenchRequest[]>;
}
