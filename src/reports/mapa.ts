import { linesAndHead } from '../domain/map-closing.ts';
import { noteOf, type MapLine, type MapMonth } from '../domain/monthly-map.ts';
import { FechamentoMapa } from '../entities/almoxarifado/fechamento-mapa.ts';
import type { RecordList } from '../listing/list.ts';
import { readPage } from '../listing/read-page.ts';
import { selectionOfPaths } from '../listing/selection.ts';
import type { Call } from '../request/call.ts';
import type { MapaMensal, NotaMapa, ProdutoMapa } from './mapa-types.ts';
import type { PendenciaMapa } from './relatorios/pendencias-mapa.ts';

const FINDING = {
  data: selectionOfPaths(['id', 'linha', 'ano', 'mes', 'tabela', 'idRegistro', 'nome', 'campo', 'oQueFazer']),
};

/** What tells the state of a closing. */
const STATE = ['protocolo', 'reabertoEm'] as const;

/** The map of a month: as stored by its closing, or computed from the ledger if it is open. */
export async function viewOf(
  call: Call,
  month: MapMonth,
  findings: RecordList<PendenciaMapa>,
): Promise<MapaMensal> {
  const { context, listing, selection } = call;
  const { INSTITUTION_CNPJ, INSTITUTION_ACTIVITIES } = context.services.config;
  const { lines, head, fechamento } = await shownOf(call, month);
  listing.budget?.read(lines.length);
  const { data: pendencias } = selection['pendencias']
    ? await readPage(listing, findings, FINDING)
    : { data: [] };
  return {
    ...month,
    situacao: !fechamento ? 'aberto' : fechamento.protocolo ? 'enviado' : 'fechado',
    cnpj: head ? head.cnpj : (INSTITUTION_CNPJ ?? null),
    atividades: head ? head.atividades : INSTITUTION_ACTIVITIES,
    fechamento,
    produtos: productsOf(lines),
    notas: notesOf(lines),
    consumos: lines
      .filter(({ registro }) => registro === 'UC')
      .map(line => {
        const { data, finalidade, observacao } = line;
        return { ...amountOf(line), data, finalidade, observacao };
      }),
    pendencias,
  };
}

/** The lines of a month and the closing from which they are; null if they are computed from the ledger. */
async function shownOf(call: Call, month: MapMonth) {
  for (;;) {
    const { lines, head } = await linesAndHead(call.listing.reader, month);
    const fechamento = head && (await call.oneIn('fechamento', FechamentoMapa, { id: head.id }, STATE));
    // Somebody may have reopened the month between the two statements.
    if (!fechamento?.reabertoEm) return { lines, head, fechamento };
  }
}

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

const identityOf = ({ produto, codigo, concentracao, densidade }: MapLine) => ({
  produto,
  codigo,
  concentracao,
  densidade: numberOf(densidade),
});

const amountOf = (line: MapLine) => ({
  ...identityOf(line),
  quantidade: numberOf(line.quantidade),
  unidade: line.unidade,
});

function productsOf(lines: readonly MapLine[]): ProdutoMapa[] {
  const found = new Map<string, ProdutoMapa>();
  for (const line of lines) {
    const product = { ...identityOf(line), substancias: line.substancias };
    found.set(JSON.stringify(product), product);
  }
  return [...found.values()];
}

function notesOf(lines: readonly MapLine[]): NotaMapa[] {
  const found = new Map<string, NotaMapa>();
  for (const line of lines) {
    if (line.registro !== 'MVN') continue;
    const note = found.get(noteOf(line)) ?? noteWith(line);
    found.set(noteOf(line), note);
    note.itens.push(amountOf(line));
  }
  return [...found.values()];
}

const noteWith = (line: MapLine): NotaMapa => ({
  operacao: line.operacao!,
  numeroNf: line.numero_nf!,
  dataEmissao: line.data,
  empresa: { cnpj: line.cnpj, nome: line.empresa },
  armazenagem: line.armazenagem!,
  transporte: line.transporte!,
  transportadora:
    line.transporte === 'T' ? { cnpj: line.cnpj_transportadora, nome: line.transportadora } : null,
  armazem: line.armazem,
  itens: [],
});
