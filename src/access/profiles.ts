import type { Reader } from '../database/reader.ts';

/** An effective profile of a person, with its system. */
export interface ActiveProfile {
  id: number;
  nome: string;
  sistema: { id: number; sigla: string; nome: string };
}

/** SQL of the effective profiles of the person with this parameter, ordered by name. */
export const activeProfilesOf = (person: number): string => `
select f.id as c0, f.nome as c1, s.id as c2, s.sigla as c3, s.nome as c4 from permissao p
join perfil f on f.id = p.id_perfil and f.situacao = 'A'
join sistema s on s.id = f.id_sistema and s.situacao = 'A'
where p.id_pessoa = $${person} and p.situacao = 'A' order by f.nome collate "pt_br", f.id`;
const ACTIVE_PROFILES = activeProfilesOf(1);

/** The effective profiles of a person, ordered by name. */
export async function activeProfiles(reader: Reader, idPessoa: number): Promise<ActiveProfile[]> {
  return ((await reader.rows(ACTIVE_PROFILES, [idPessoa])) as ProfileRow[]).map(profileOf);
}

/** A row of `activeProfilesOf`. */
export type ProfileRow = [id: number, nome: string, idSistema: number, sigla: string, sistema: string];

export const profileOf = ([id, nome, idSistema, sigla, sistema]: ProfileRow): ActiveProfile => ({
  id,
  nome,
  sistema: { id: idSistema, sigla, nome: sistema },
});
