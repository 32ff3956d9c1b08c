import type { Context } from '../context.ts';
import { effectivePermissions, type EffectivePermission } from '../domain/effective.ts';
import { digest } from './secrets.ts';

/** What stands behind a live token (contract 8). */
interface TokenDetails {
  id: number;
  expiraEm: Date;
  versaoAplicacao: string | null;
  sistema: { id: number; sigla: string; nome: string };
  pessoa: { id: number; nome: string; email: string };
  perfis: { id: number; nome: string }[];
  permissoes: EffectivePermission[];
}

const LIVE = `
select s.id, s.expira_em, s.versao_aplicacao, si.id, si.sigla, si.nome, p.id, p.nome, p.email,
  (select coalesce(json_agg(json_build_object('id', pf.id, 'nome', pf.nome) order by pf.nome), '[]')
   from permissao pm join perfil pf on pf.id = pm.id_perfil and pf.situacao = 'A'
   where pm.id_pessoa = p.id and pm.situacao = 'A')
from sessao s
join sistema si on si.id = s.id_sistema and si.situacao = 'A'
join pessoa p on p.id = s.id_pessoa and p.situacao = 'A'
join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
where s.token_hash = $1 and s.encerrada_em is null and s.expira_em > now()`;

/** @throws FORBIDDEN when the token is another person's and the caller may not act for others on this controller */
export async function tokenDetails(
  context: Context,
  token: string,
  controller: string,
): Promise<TokenDetails | null> {
  const { reader } = context.services.listing;
  const [row] = await reader.rows(LIVE, [digest(token)]);
  // Whether another's token lives is for those alone who may see behind it.
  if (!row) return context.authorize({ kind: 'level', controller, level: 3 }).then(() => null);
  const [id, expira, versaoAplicacao, idSistema, sigla, sistema, idPessoa, nome, email, perfis] = row as [
    number,
    string,
    string | null,
    number,
    string,
    string,
    number,
    string,
    string,
    TokenDetails['perfis'],
  ];
  await context.actFor(idPessoa, controller);
  return {
    id,
    expiraEm: new Date(expira),
    versaoAplicacao,
    sistema: { id: idSistema, sigla, nome: sistema },
    pessoa: { id: idPessoa, nome, email },
    perfis,
    permissoes: await effectivePermissions(reader, idPessoa),
  };
}
