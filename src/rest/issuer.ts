import type { Context } from '../request/context.ts';
import type { Provenance } from '../reports/table.ts';

/**
 * The person who requests a file, and the time. Like a session, they are read outside the lane of queries, so that a
 * file does not wait behind lists for them.
 */
export async function issueOf(context: Context): Promise<Pick<Provenance, 'issuedBy' | 'now'>> {
  const { idPessoa } = await context.session();
  const { reader } = context.services.listing;
  const [row] = await reader.rows('select nome, now() from pessoa where id = $1', [idPessoa]);
  const [issuedBy, now] = row as [string, string];
  return { issuedBy, now: new Date(now) };
}
