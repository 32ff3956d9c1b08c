import type { Context } from '../context.ts';

/** Name of the person for whom a file is made. */
export async function issuerOf(context: Context): Promise<string> {
  const { idPessoa } = await context.session();
  const { reader } = context.services.listing;
  const [row] = await reader.rows('select nome from pessoa where id = $1', [idPessoa]);
  return row![0] as string;
}
