import type { Context } from '../request/context.ts';
import type { Provenance } from '../reports/table.ts';

/** The person who requests a file, and the time. */
export async function issueOf(context: Context): Promise<Pick<Provenance, 'issuedBy' | 'now'>> {
  const { idPessoa } = await context.session();
  const [row] = await context.reader.rows('select nome, now() from pessoa where id = $1', [idPessoa]);
  const [issuedBy, now] = row as [string, string];
  return { issuedBy, now: new Date(now) };
}
