import { execute } from './database.ts';
import { startsIn, type Starts } from './graph.ts';
import { login } from './login.ts';
import { readUsers, type Users } from './people.ts';
import { readStock, type Stock } from './stock.ts';

/** What the scenarios need to know of the database that they run on. */
export interface Ground {
  /** Token of somebody who may do everything. */
  token: string;
  /** Materials in it. */
  rows: number;
  stock: Stock;
  users: Users;
  starts: Starts;
}

/** The ground of a service with so many materials. */
export async function readGround(url: string, databaseUrl: string, rows: number): Promise<Ground> {
  const token = await login(url);
  const stock = await execute(databaseUrl, readStock);
  const users = await execute(databaseUrl, readUsers);
  return { token, rows, stock, users, starts: await startsIn(url, token, rows) };
}
