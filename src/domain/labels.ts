import { IN_MAP } from '../entities/almoxarifado/material.ts';
import { AppError } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Context } from '../request/context.ts';
import { CONTROLLED_BY_TYPE } from './controlled.ts';
import { labelCode, type LabelSubject } from './label-codes.ts';

/** The content of a label. All texts are for people. */
export interface Label {
  qr: string;
  nome: string;
  detalhe: string | null;
  numeroCas: string | null;
  /** In per cent. */
  concentracao: number | null;
  /** Controlled chemicals of a mixture, the largest share first. */
  substancias: LabelSubstance[];
  codLote: string | null;
  dataVenc: string | null;
  fabricante: string | null;
  /** `P` danger, `A` warning, `N` none; null when the hazard classes do not determine it. */
  palavraAdvertencia: 'P' | 'A' | 'N' | null;
  frases: string[];
  precaucoes: string[];
  idsPictogramas: number[];
  controle: string | null;
  rotuloExercito: string | null;
}

export interface LabelSubstance {
  /** The code of the Federal Police for it, if its name is unknown. */
  nome: string;
  /** In per cent. */
  concentracao: number;
}

export interface Pictogram {
  id: number;
  nome: string | null;
  icone: string;
}

export interface Labels {
  etiquetas: Label[];
  pictogramas: Pictogram[];
}

interface Hazard {
  risco: string;
  descricao: string | null;
  palavra: Label['palavraAdvertencia'];
  precaucao: string | null;
  icone: Pictogram & { icone: string | null };
}

type BatchRow = [
  id: number,
  nome: string,
  detalhe: string | null,
  numeroCas: string | null,
  concentracao: number | null,
  codLote: string | null,
  dataVenc: string | null,
  fabricante: string,
  controle: string | null,
  rotuloExercito: string | null,
  substancias: LabelSubstance[],
  hazards: Hazard[],
];

/** Batches in the requested order, with the hazards of their material. */
const BATCHES = `
select l.id, m.titulo, m.descricao, m.numero_cas, m.concentracao, l.cod_lote, l.data_venc::text, f.nome,
  case
    when ${CONTROLLED_BY_TYPE} then c.descricao
    when ${IN_MAP} then 'Polícia Federal'
  end,
  m.rotulo_exercito,
  (
    select coalesce(json_agg(json_build_object('nome', coalesce(k.nome, s.codigo_pf), 'concentracao', s.concentracao)
      order by s.concentracao desc, s.codigo_pf), '[]')
    from substancia_controlada s
    left join codigo_pf k on k.codigo = s.codigo_pf
    where s.id_material = m.id
  ),
  (
    select coalesce(json_agg(json_build_object('risco', k.risco, 'descricao', k.descricao, 'palavra', k.palavra_advertencia,
      'precaucao', k.precaucao,
      'icone', json_build_object('id', i.id, 'nome', i.nome, 'icone', i.icone)) order by k.descricao, k.id), '[]')
    from risco_material r
    join classificacao_risco k on k.id = r.id_classificacao_risco
    join icone_risco i on i.id = k.id_icone_risco
    where r.id_material = m.id
  )
from unnest($1::int[]) with ordinality as asked (id, place)
join lote l on l.id = asked.id
join material m on m.id = l.id_material
join empresa f on f.id = l.id_fabricante
left join tipo_controle c on c.id = m.id_tipo_controle
order by place`;

const PLACES = `
select p.id, p.nome, p.sigla, u.nome
from unnest($1::int[]) with ordinality as asked (id, place)
join "local" p on p.id = asked.id
left join lotacao u on u.id = p.id_lotacao
order by place`;

/** The labels of batches. @throws NOT_FOUND that names each id without a record */
export async function batchLabels(context: Context, ids: readonly number[]): Promise<Labels> {
  const rows = await found(context, BATCHES, ids);
  const pictures = new Map<number, Pictogram>();
  const etiquetas = rows.map((row): Label => {
    const [
      id,
      nome,
      detalhe,
      numeroCas,
      concentracao,
      codLote,
      dataVenc,
      fabricante,
      controle,
      rotuloExercito,
      substancias,
      hazards,
    ] = row as BatchRow;
    for (const { icone } of hazards) if (isDrawable(icone)) pictures.set(icone.id, icone);
    return {
      ...blank(context, 'LOTE', id, nome),
      detalhe,
      numeroCas,
      concentracao,
      substancias,
      codLote,
      dataVenc,
      fabricante,
      controle,
      rotuloExercito,
      palavraAdvertencia: signalWord(hazards),
      frases: hazards.map(statement),
      precaucoes: precautions(hazards),
      idsPictogramas: [
        ...new Set(
          hazards
            .map(({ icone }) => icone)
            .filter(isDrawable)
            .map(icon => icon.id),
        ),
      ],
    };
  });
  return { etiquetas, pictogramas: [...pictures.values()] };
}

/** The labels of locations. @throws NOT_FOUND that names each id without a record */
export async function placeLabels(context: Context, ids: readonly number[]): Promise<Labels> {
  const rows = (await found(context, PLACES, ids)) as [number, string, string | null, string | null][];
  const etiquetas = rows.map(([id, nome, sigla, lotacao]) => ({
    ...blank(context, 'LOCAL', id, sigla ?? nome),
    detalhe: [sigla && nome, lotacao].filter(Boolean).join('\n') || null,
  }));
  return { etiquetas, pictogramas: [] };
}

/** A label with a name only. */
const blank = ({ services }: Context, of: LabelSubject, id: number, nome: string): Label => ({
  qr: labelCode(of, id, services.config.LABEL_URL),
  nome,
  detalhe: null,
  numeroCas: null,
  concentracao: null,
  substancias: [],
  codLote: null,
  dataVenc: null,
  fabricante: null,
  palavraAdvertencia: null,
  frases: [],
  precaucoes: [],
  idsPictogramas: [],
  controle: null,
  rotuloExercito: null,
});

async function found({ reader }: Context, text: string, ids: readonly number[]): Promise<unknown[][]> {
  const rows = await reader.rows(text, [[...ids]]);
  const known = new Set(rows.map(([id]) => id));
  const errors = ids.flatMap((id, i) =>
    known.has(id) ? [] : [{ field: `ids[${i}]`, message: fieldMessages.unknownReference }],
  );
  if (errors.length > 0) throw new AppError('NOT_FOUND', { detail: messages.noSuchRecord, errors });
  return rows;
}

/**
 * One class with danger is enough for danger. For warning, every class must have a known word, because an unknown one
 * could mean danger.
 */
function signalWord(hazards: readonly Hazard[]): Label['palavraAdvertencia'] {
  const words = hazards.map(({ palavra }) => palavra);
  if (words.includes('P')) return 'P';
  if (words.length === 0 || words.includes(null)) return null;
  return words.includes('A') ? 'A' : 'N';
}

/** The text of a hazard. A class without a picture is also named. */
function statement({ risco, descricao, icone }: Hazard): string {
  if (!descricao) return risco;
  return isDrawable(icone) ? descricao : `${risco}: ${descricao}`;
}

/** Each precautionary statement once, ordered by code. */
const precautions = (hazards: readonly Hazard[]): string[] =>
  [...new Set(hazards.flatMap(({ precaucao }) => precaucao?.split(/\r?\n/) ?? []).map(line => line.trim()))]
    .filter(Boolean)
    .toSorted();

/** Whether a document can show the picture. External addresses are not fetched. */
const isDrawable = (icon: Hazard['icone']): icon is Pictogram =>
  /^data:image\/(png|jpeg|svg\+xml)[;,]/i.test(icon.icone ?? '');
