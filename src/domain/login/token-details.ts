import type { Context } from '../../request/context.ts';
import { effectivePermissions, type EffectivePermission } from '../effective.ts';
import { Sessao } from '../../entities/permissoes/sessao.ts';
import { activeProfiles } from '../../access/profiles.ts';
import { actFor } from '../../request/for-person.ts';
import { sawPrimary } from '../../request/saw-primary.ts';

/** The session of a live token (contract 8). */
interface TokenDetails {
  id: number;
  expiraEm: Date;
  versaoAplicacao: string | null;
  sistema: { id: number; sigla: string; nome: string };
  pessoa: { id: number; nome: string; email: string };
  perfis: { id: number; nome: string }[];
  permissoes: EffectivePermission[];
}

/** @throws FORBIDDEN when the token is another person's and the caller may not act for others on this controller */
export async function tokenDetails(
  context: Context,
  token: string,
  controller: string,
): Promise<TokenDetails | null> {
  const { sessions, listing } = context.services;
  const session = await sessions.find(token);
  // Only a caller who may see the details may learn whether another person's token is live.
  await actFor(context, session?.idPessoa, controller);
  if (!session) return null;
  const em = context.services.orm.em.fork();
  const { id, expiraEm, versaoAplicacao, sistema, pessoa } = await em.findOneOrFail(
    Sessao,
    { id: session.id },
    { populate: ['sistema', 'pessoa'] },
  );
  const perfis = await activeProfiles(listing.reader, pessoa.id);
  const permissoes = await effectivePermissions(listing.reader, pessoa.id);
  await sawPrimary(context);
  return { id, expiraEm, versaoAplicacao, sistema, pessoa, perfis, permissoes };
}
