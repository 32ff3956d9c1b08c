import { HELD, mayEnter } from '../access/granted.ts';
import type { Reader } from '../database/reader.ts';

/** A person's level on a controller, with the profile that grants it. */
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

/** The effective permissions of a person. A person without environment access has none. */
const EFFECTIVE = `
select id_perfil, perfil, sistema, controller, max(nivel)
from ${HELD} held
where held.id_pessoa = $1 and ${mayEnter('$1')}
group by id_perfil, perfil, sistema, controller
order by sistema, controller nulls first, perfil`;

type Row = [idPerfil: number, perfil: string, sistema: string, controller: string | null, nivel: number];

export async function effectivePermissions(reader: Reader, idPessoa: number): Promise<EffectivePermission[]> {
  const rows = await reader.rows(EFFECTIVE, [idPessoa]);
  return rows.map(row => {
    const [idPerfil, perfil, sistema, controller, nivel] = row as Row;
    return { idPerfil, perfil, sistema, controller, nivel };
  });
}
