import { createHash } from 'node:crypto';
import { LockMode, sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { takeLock } from '../database/locks.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { FechamentoMapa } from '../entities/almoxarifado/fechamento-mapa.ts';
import { IN_MAP } from '../entities/almoxarifado/material.ts';
import { AppError, conflict, notFound } from '../errors.ts';
import type { Text } from '../messages.ts';
import { mapTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import { writing } from '../request/writing.ts';
import { keepTold, TOLD } from './map-told.ts';
import { linesWith, writeFile, type MapFile, type MapLine, type MapMonth } from './monthly-map.ts';
import { REJEITADA } from './movement.ts';

/** Begin and end of a month in the time zone of the institution, and whether it is over. */
const BOUNDS = `
select m::timestamptz, (m + interval '1 month')::timestamptz, (m + interval '1 month')::timestamptz <= now()
from make_date($1, $2, 1) m`;

/**
 * The first month that can be closed, and whether a month is before it. It is the last month, whose map is due in any
 * case, or an earlier one: that of the first movement of a chemical in the map, or the first one that is closed. A month
 * that was reopened can be closed again.
 */
const FIRST = `
select extract(year from p)::int, extract(month from p)::int, make_date($1, $2, 1) < p
from (select least(
  date_trunc('month', current_date::timestamp) - interval '1 month',
  (
    select date_trunc('month', min(v.data)::timestamp) from movimentacao v join lote l on l.id = v.id_lote
    where v.id_status_movimentacao <> ${REJEITADA} and l.id_material in (
      select m.id from material m left join tipo_controle c on c.id = m.id_tipo_controle where ${IN_MAP}
    )
  ),
  (select min(make_date(ano, mes, 1)) from fechamento_mapa where reaberto_em is null or (ano, mes) = ($1, $2))
) as p) x`;

/** The materials in the map. */
const MATERIALS = 'array(select id from material where material_no_mapa(id) order by id)';

const KEEP = 'insert into conteudo_mapa (id_fechamento, arquivo, mapa) values ($1, $2, $3)';

interface Closing extends MapMonth {
  /** Whether the caller has acknowledged the findings of the month. */
  cientePendencias: boolean;
  /** SQL of the findings of the month of the parameters $1 and $2. */
  findings: string;
}

/** What a closing reads besides its lines. */
interface Beside {
  materiais: number[];
  informado: object[];
  temPendencias: boolean;
}

/** SQL of what a closing reads besides its lines. The condition is whether the month has findings. */
const besides = (hasFindings: string): string =>
  `jsonb_build_object('materiais', ${MATERIALS}, 'informado', ${TOLD}, 'temPendencias', ${hasFindings})`;

/**
 * Closes a month of the map and stores its file. It waits for transactions that are changing the month. Afterwards
 * triggers prevent changes.
 * @throws INVALID_STATE for a month that is not over, already closed, or before the first one that can be closed;
 * CONFLICT when its file cannot be written, or the caller has not acknowledged its findings
 */
export async function closeMap(
  call: Call,
  { ano, mes, cientePendencias, findings }: Closing,
): Promise<FechamentoMapa> {
  const { idPessoa } = await call.context.session();
  return writing(call, async em => {
    const reader = transactionReader(em);
    // Before the lock, because everybody who writes in the month waits behind it.
    await call.context.caller.authorizeAnew(call.access, em);
    const [bounds] = await reader.rows(BOUNDS, [ano, mes]);
    const [inicio, fim, isOver] = bounds as [string, string, boolean];
    if (!isOver) throw invalidState(mapTexts.monthNotOver);
    await takeLock(reader, 'mapMonths', `${ano}-${String(mes).padStart(2, '0')}`);
    await call.context.caller.authorizeAnew(call.access, em);
    if (await inForce(em, { ano, mes })) throw invalidState(mapTexts.mapClosedAlready(ano, mes));
    const [possible] = await reader.rows(FIRST, [ano, mes]);
    const [firstAno, firstMes, isTooEarly] = possible as [number, number, boolean];
    if (isTooEarly) throw invalidState(mapTexts.mapTooEarly(firstAno, firstMes));
    // One statement sees one moment. The lock keeps movements, but not the records behind them.
    const hasFindings = cientePendencias ? 'false' : `exists (${findings})`;
    const { lines, beside } = await linesWith(reader, { ano, mes }, besides(hasFindings));
    const { materiais, informado, temPendencias } = beside as Beside;
    const { config } = call.context.services;
    const { nome, bytes } = writeFile({ ano, mes }, lines, config);
    if (temPendencias)
      throw conflict(mapTexts.mapWithFindings, [
        { field: 'cientePendencias', message: mapTexts.confirmFindings },
      ]);
    const closing = em.create(FechamentoMapa, {
      ano,
      mes,
      inicio: new Date(inicio),
      fim: new Date(fim),
      materiais,
      nomeArquivo: nome,
      tamanho: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      criadoPor: idPessoa,
      alteradoPor: idPessoa,
    } as never);
    await em.flush();
    const { INSTITUTION_CNPJ: cnpj, INSTITUTION_ACTIVITIES: atividades } = config;
    await reader.rows(KEEP, [closing.id, bytes, JSON.stringify({ cnpj, atividades, linhas: lines })]);
    await keepTold(reader, closing.id, informado);
    return (await call.written(em, FechamentoMapa, { id: closing.id }))!;
  });
}

/** A closed month, and the file that the caller knows of it. */
export interface ClosedMonth extends MapMonth {
  /** Null if the caller means whatever closing is in force. */
  sha256: string | null;
}

/**
 * Reopens a month of the map, so that it can change again. The stored file does not change.
 * @throws INVALID_STATE when it is not closed; CONFLICT when its closing in force has another file
 */
export const reopenMap = (call: Call, month: ClosedMonth, motivo: string): Promise<FechamentoMapa> =>
  changeInForce(call, month, (_closing, idPessoa) => ({
    reabertoEm: sql.now() as never,
    reabertoPor: idPessoa,
    motivo,
  }));

/**
 * Stores the protocol number under which a closed month was sent.
 * @throws INVALID_STATE when it is not closed, or already has one; CONFLICT when its closing in force has another file
 */
export const registerSending = (call: Call, month: ClosedMonth, protocolo: string): Promise<FechamentoMapa> =>
  changeInForce(call, month, (closing, idPessoa) => {
    if (closing.protocolo !== null) throw invalidState(mapTexts.mapSentAlready(closing.protocolo));
    return { enviadoEm: sql.now() as never, enviadoPor: idPessoa, protocolo };
  });

/** Changes the valid closing of a month. @throws INVALID_STATE when there is none, CONFLICT when it is another one */
async function changeInForce(
  call: Call,
  month: ClosedMonth,
  changes: (closing: FechamentoMapa, idPessoa: number) => Partial<FechamentoMapa>,
): Promise<FechamentoMapa> {
  const { idPessoa } = await call.context.session();
  return writing(call, async em => {
    const closing = await inForce(em, month);
    await call.context.caller.authorizeAnew(call.access, em);
    const { ano, mes, sha256 } = month;
    if (!closing) throw invalidState(mapTexts.mapNotClosed(ano, mes));
    if (sha256 !== null && sha256.toLowerCase() !== closing.sha256)
      throw conflict(mapTexts.mapClosedAgain(ano, mes), [
        { field: 'sha256', message: mapTexts.otherFile(closing.sha256) },
      ]);
    em.assign(closing, { ...changes(closing, idPessoa), alteradoPor: idPessoa } as never);
    await em.flush();
    return (await call.written(em, FechamentoMapa, { id: closing.id }))!;
  });
}

const inForce = (em: EntityManager, { ano, mes }: MapMonth): Promise<FechamentoMapa | null> =>
  em.findOne(FechamentoMapa, { ano, mes, reabertoEm: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });

const invalidState = (detail: Text): AppError => new AppError('INVALID_STATE', { detail });

const FILE = `
select f.nome_arquivo, c.arquivo from fechamento_mapa f join conteudo_mapa c on c.id_fechamento = f.id
where f.id = $1`;

/** The file of a closing, as stored when it was made. @throws NOT_FOUND */
export async function closedFile(reader: Reader, id: number): Promise<MapFile> {
  const [row] = await reader.rows(FILE, [id]);
  if (!row) throw notFound();
  const [nome, bytes] = row as [string, Buffer];
  return { nome, bytes };
}

/** The institution's data in a closing. */
interface ClosedHead {
  id: number;
  cnpj: string;
  atividades: string[];
}

const HEAD = `(
  select jsonb_build_object('id', f.id, 'cnpj', c.mapa -> 'cnpj', 'atividades', c.mapa -> 'atividades')
  from fechamento_mapa f join conteudo_mapa c on c.id_fechamento = f.id
  where (f.ano, f.mes) = ($1, $2) and f.reaberto_em is null
)`;

/** The lines of a month, and the closing in force from which they are, with the institution's data; null if it is open. */
export async function linesAndHead(
  reader: Reader,
  month: MapMonth,
): Promise<{ lines: MapLine[]; head: ClosedHead | null }> {
  const { lines, beside } = await linesWith(reader, month, HEAD);
  return { lines, head: beside as ClosedHead | null };
}
