import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { closedHead } from '../domain/map-closing.ts';
import { linesOf, noteOf, type MapLine, type MapMonth } from '../domain/monthly-map.ts';
import { FechamentoMapa } from '../entities/almoxarifado/fechamento-mapa.ts';
import { DateScalar } from '../entities/scalars.ts';
import type { RecordList } from '../listing/list.ts';
import { readOne } from '../listing/read.ts';
import { readPage } from '../listing/read-page.ts';
import { selectionOfPaths } from '../listing/selection.ts';
import type { Call } from '../request/call.ts';
import { PendenciaMapa } from './relatorios/pendencias-mapa.ts';

enum SituacaoMapa {
  ABERTO = 'ABERTO',
  FECHADO = 'FECHADO',
  ENVIADO = 'ENVIADO',
}
registerEnumType(SituacaoMapa, {
  name: 'SituacaoMapa',
  description: 'State of a month of the map.',
  valuesConfig: {
    ABERTO: { description: 'It follows the ledger' },
    FECHADO: { description: 'It was closed, and nothing of it changes' },
    ENVIADO: { description: 'It was closed and sent to the Federal Police' },
  },
});

@ObjectType({ description: 'A controlled substance of a mixture.', simpleResolvers: true })
class SubstanciaMapa {
  @Field(() => String, { description: 'Code of the Federal Police' })
  codigo!: string;

  @Field(() => Int, { description: 'Whole per cent' })
  concentracao!: number;
}

@ObjectType({ description: 'What tells a product of the map from others.', simpleResolvers: true })
abstract class IdentidadeMapa {
  @Field(() => String, { description: 'Name of its first material' })
  produto!: string;

  @Field(() => String, { nullable: true, description: 'Code of the Federal Police, or NCM of a mixture' })
  codigo!: string | null;

  @Field(() => Int, { nullable: true, description: 'Whole per cent; null for a mixture' })
  concentracao!: number | null;

  @Field(() => Float, { nullable: true, description: 'Density in kg/L, with two places' })
  densidade!: number | null;
}

@ObjectType({ description: 'A product of the map (records PR and PC).', simpleResolvers: true })
class ProdutoMapa extends IdentidadeMapa {
  @Field(() => [SubstanciaMapa], { nullable: true, description: 'What is in a mixture; null otherwise' })
  substancias!: SubstanciaMapa[] | null;
}

@ObjectType({ description: 'How much of a product of the map.', simpleResolvers: true })
class QuantidadeMapa extends IdentidadeMapa {
  @Field(() => Float, { nullable: true, description: 'In kg or L, with three places; null without a factor' })
  quantidade!: number | null;

  @Field(() => String, { nullable: true, description: '`K` kilograms, `L` litres' })
  unidade!: string | null;
}

@ObjectType({ description: 'A company, as an invoice names it.', simpleResolvers: true })
class EmpresaMapa {
  @Field(() => String, { nullable: true, description: 'CNPJ' })
  cnpj!: string | null;

  @Field(() => String, { nullable: true, description: 'Name' })
  nome!: string | null;
}

@ObjectType({ description: 'An invoice in the map (record MVN).', simpleResolvers: true })
class NotaMapa {
  @Field(() => String, { description: 'Operation, such as `EC` for a purchase' })
  operacao!: string;

  @Field(() => String, { description: 'Number' })
  numeroNf!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Day of issue' })
  dataEmissao!: string | null;

  @Field(() => EmpresaMapa, { description: 'Supplier or recipient' })
  empresa!: EmpresaMapa;

  @Field(() => String, { description: 'Storage: `S` or `N` of an entry, `F` or `T` of an exit' })
  armazenagem!: string;

  @Field(() => String, { description: 'Who carried: `A` buyer, `F` supplier, `T` another' })
  transporte!: string;

  @Field(() => EmpresaMapa, { nullable: true, description: 'Carrier, if it was another' })
  transportadora!: EmpresaMapa | null;

  @Field(() => [QuantidadeMapa], { description: 'Its products (records MM)' })
  itens!: QuantidadeMapa[];
}

@ObjectType({
  description: 'What was consumed of a product on a day for a purpose (record UC).',
  simpleResolvers: true,
})
class ConsumoMapa extends QuantidadeMapa {
  @Field(() => DateScalar, { nullable: true, description: 'Day' })
  data!: string | null;

  @Field(() => Int, { nullable: true, description: 'Purpose, 1 to 5; null where nobody said it' })
  finalidade!: number | null;

  @Field(() => String, { nullable: true, description: 'Remark, if all movements of the line have it' })
  observacao!: string | null;
}

@ObjectType({ description: 'The map of a month of controlled chemicals.', simpleResolvers: true })
export class MapaMensal implements MapMonth {
  @Field(() => Int, { description: 'Year' })
  ano!: number;

  @Field(() => Int, { description: 'Month, 1 to 12' })
  mes!: number;

  @Field(() => SituacaoMapa, { description: 'State' })
  situacao!: SituacaoMapa;

  @Field(() => String, { nullable: true, description: 'CNPJ of the institution' })
  cnpj!: string | null;

  @Field(() => [String], { description: 'Activities of the institution that its file names' })
  atividades!: string[];

  @Field(() => FechamentoMapa, { nullable: true, description: 'Its closing; null while it is open' })
  fechamento!: FechamentoMapa | null;

  @Field(() => [ProdutoMapa], { description: 'The products of its lines' })
  produtos!: ProdutoMapa[];

  @Field(() => [NotaMapa], { description: 'Invoices' })
  notas!: NotaMapa[];

  @Field(() => [ConsumoMapa], { description: 'Consumption' })
  consumos!: ConsumoMapa[];

  @Field(() => [PendenciaMapa], { description: 'What is missing or odd in the records of the month now' })
  pendencias!: PendenciaMapa[];
}

const FINDING = {
  data: selectionOfPaths(['id', 'linha', 'ano', 'mes', 'tabela', 'idRegistro', 'nome', 'campo', 'oQueFazer']),
};

/** The map of a month: as it was closed, or else as the ledger has it. */
export async function viewOf(
  { context, listing }: Call,
  month: MapMonth,
  findings: RecordList<PendenciaMapa>,
): Promise<MapaMensal> {
  const { reader } = listing;
  const { INSTITUTION_CNPJ, INSTITUTION_ACTIVITIES } = context.services.config;
  const head = await closedHead(reader, month);
  const columns = selectionOfPaths(listing.metadata.get(FechamentoMapa).props.map(({ name }) => name));
  const fechamento = head ? await readOne(listing, FechamentoMapa, { id: head.id }, columns) : null;
  const lines = await linesOf(reader, month);
  listing.budget?.read(lines.length);
  const { data: pendencias } = await readPage(listing, findings, FINDING);
  return {
    ...month,
    situacao: !fechamento
      ? SituacaoMapa.ABERTO
      : fechamento.protocolo
        ? SituacaoMapa.ENVIADO
        : SituacaoMapa.FECHADO,
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
  itens: [],
});
