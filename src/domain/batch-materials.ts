import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { conflict } from '../errors.ts';
import type { Text } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { requireOwnPending, wasDecided } from './approval.ts';
import { stockTexts } from './messages.ts';
import { EFETIVADA, PENDENTE } from './movement.ts';

/** A batch that gets another material. */
interface OtherMaterial {
  idLote: number;
  /** Whether it has other movements than its own entry. */
  hasMoved: boolean;
  /** Whether only one of the two materials needs approval. */
  otherControl: boolean;
  /** Whether its entry was approved or rejected. */
  isDecided: boolean;
  /** Whether the new material needs approval, and its entry took effect without one. */
  isUnapproved: boolean;
  /** Its entry, if that waits for approval. */
  waiting: { id: number; criadoPor: number | null } | null;
}

// A batch may have many movements: no more than its second one is looked for.
const OTHER_MATERIAL = `
select jsonb_build_object(
  'idLote', l.id, 'hasMoved', has_moved,
  'otherControl', coalesce(old.exige_aprovacao, false) <> coalesce(new.exige_aprovacao, false),
  'isDecided', not has_moved and exists (select from movimentacao e where e.id_lote = l.id and ${wasDecided('e')}),
  'isUnapproved', not has_moved and coalesce(new.exige_aprovacao, false) and exists (
    select from movimentacao e
    where e.id_lote = l.id and e.id_status_movimentacao = ${EFETIVADA} and not ${wasDecided('e')}
  ),
  'waiting', (
    select jsonb_build_object('id', e.id, 'criadoPor', e.criado_por)
    from movimentacao e where e.id_lote = l.id and e.id_status_movimentacao = ${PENDENTE} and not has_moved limit 1
  )
) as c0
from jsonb_to_recordset($1::jsonb) as c ("idLote" int, "idMaterial" int)
join lote l on l.id = c."idLote"
cross join lateral (select exists (select from movimentacao where id_lote = l.id offset 1)) moved (has_moved)
join material m on m.id = l.id_material left join tipo_controle old on old.id = m.id_tipo_controle
join material n on n.id = c."idMaterial" left join tipo_controle new on new.id = n.id_tipo_controle
where l.id_material <> n.id`;

/** Gives pending movements a new version and author, and stores in their approval requests what has changed. */
const NOTE = `
with change as (
  select m.id, l.id_material as antes, c."idMaterial" as depois
  from jsonb_to_recordset($1::jsonb) as c ("idLote" int, "idMaterial" int)
  join lote l on l.id = c."idLote" join movimentacao m on m.id_lote = l.id
  where m.id = any ($2::int[])
), noted as (
  insert into alteracao_solicitacao (id_solicitacao, campo, antes, depois, criado_por, alterado_por)
  select s.id, 'id_material', c.antes, c.depois, $3, $3
  from change c join solicitacao_aprovacao s on s.id_movimentacao = c.id order by s.id
)
update movimentacao m set alterado_em = now(), alterado_por = $3 from change c where m.id = c.id`;

/**
 * Checks that a batch may get its new material.
 * @throws CONFLICT when it has movements of the old one, or the change would avoid an approval; FORBIDDEN when its entry
 * waits for approval, and is neither the caller's nor managed by them
 */
export const checkMaterial = (em: EntityManager, lote: Lote, call: Call): Promise<void> =>
  checkMaterials(em, [{ lote, field: 'idMaterial' }], call);

/**
 * Checks the new materials of several batches. Each is in its own field of the input. A batch whose entry waits for
 * approval gets another material like an entry that is changed itself: who changes it does not decide it (contract 10).
 */
export async function checkMaterials(
  em: EntityManager,
  changed: readonly { lote: Lote; field: string }[],
  call: Call,
): Promise<void> {
  if (changed.length === 0) return;
  const materials = JSON.stringify(
    changed.map(({ lote }) => ({ idLote: lote.id, idMaterial: lote.material.id })),
  );
  const reader = transactionReader(em);
  const found = (await reader.rows(OTHER_MATERIAL, [materials])).flat() as OtherMaterial[];
  const refuse = (reason: 'hasMoved' | 'isDecided' | 'otherControl' | 'isUnapproved', detail: Text): void => {
    const ids = new Set(found.filter(one => one[reason]).map(({ idLote }) => idLote));
    const errors = changed
      .filter(({ lote }) => ids.has(lote.id))
      .map(({ field }) => ({ field, message: stockTexts.changed }));
    if (errors.length > 0) throw conflict(detail, errors);
  };
  refuse('hasMoved', stockTexts.batchHasMoved);
  refuse('isDecided', stockTexts.entryDecided);
  refuse('otherControl', stockTexts.otherControl);
  refuse('isUnapproved', stockTexts.entryUnapproved);
  const waiting = found.flatMap(one => one.waiting ?? []);
  if (waiting.length === 0) return;
  for (const movement of waiting) await requireOwnPending(movement, call);
  const { idPessoa } = await call.context.session();
  await reader.rows(NOTE, [materials, waiting.map(({ id }) => id), idPessoa]);
}
