import type { Reader } from '../database/reader.ts';

/** An effective profile of a person, with its system. */
interface ActiveProfile {
  id: number;
  nome: string;
  sistema: { id: number; sigla: string; nome: string };
}

const ACTIVE_PROFILES = `
select f.id as c0, f.nome as c1, s.id as c2, s.sigla as c3, s.nome as c4 from permissao p
join perfil f on f.id = p.id_perfil and f.situacao = 'A'
join sistema s on s.id = f.id_sistema and s.situacao = 'A'
where p.id_pessoa = $1 and p.situacao = 'A' order by f.nome collate "pt_br", f.id`;

/** The effective profiles of a person, ordered by name. */
export async function activeProfiles(reader: Reader, idPessoa: number): Promise<ActiveProfile[]> {
  const rows = await reader.rows(ACTIVE_PROFILES, [idPessoa]);
  return (rows as [number, string, number, string, string][]).map(
    ([id, nome, idSistema, sigla, sistema]) => ({
      id,
      nome,
      sistema: { id: idSistema, sigla, nome: sistema },
    }),
  );
}
