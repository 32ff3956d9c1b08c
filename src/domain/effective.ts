import type { Reader } from '../listing/reader.ts';

/** A level that a person has on a controller, and through which profile. */
export interface EffectivePermission {
  idPerfil: number;
  /** Name of the profile. */
  perfil: string;
  /** Acronym of the system. */
  sistema: string;
  /** Null for every controller of the system. */
  controller: string | null;
  nivel: number;
}

/** What counts of a person's permissions (contract 6): whoever may not enter has none. */
const EFFECTIVE = `
select pf.id, pf.nome, si.sigla, c.nome, max(i.nivel)
from permissao pm
join pessoa p on p.id = pm.id_pessoa and p.situacao = 'A'
join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
join perfil pf on pf.id = pm.id_perfil and pf.situacao = 'A'
join sistema si on si.id = pf.id_sistema and si.situacao = 'A'
join perfil_recurso pr on pr.id_perfil = pf.id
join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
left join controller c on c.id = i.id_controller and c.id_sistema = si.id and c.situacao = 'A'
where pm.id_pessoa = $1 and pm.situacao = 'A' and (i.id_controller is null or c.id is not null)
group by pf.id, pf.nome, si.sigla, c.nome
order by si.sigla, c.nome nulls first, pf.nome`;

type Row = [idPerfil: number, perfil: string, sistema: string, controller: string | null, nivel: number];

export async function effectivePermissions(reader: Reader, idPessoa: number): Promise<EffectivePermission[]> {
  const rows = await reader.rows(EFFECTIVE, [idPessoa]);
  return rows.map(row => {
    const [idPerfil, perfil, sistema, controller, nivel] = row as Row;
    return { idPerfil, perfil, sistema, controller, nivel };
  });
}
