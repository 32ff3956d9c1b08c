import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { MapMonth } from '../domain/monthly-map.ts';
import { FechamentoMapa } from '../entities/almoxarifado/fechamento-mapa.ts';
import { ChoiceField, choices, type ValueOf } from '../entities/choices.ts';
import { DateScalar } from '../entities/scalars.ts';
import { PendenciaMapa } from './relatorios/pendencias-mapa.ts';

/** How many findings a map shows. */
export const SHOWN_FINDINGS = 200;

const states = choices('SituacaoMapa', 'State of a month of the map', {
  ABERTO: ['aberto', 'It follows the ledger'],
  FECHADO: ['fechado', 'It was closed, and nothing of it changes'],
  ENVIADO: ['enviado', 'It was closed and sent to the Federal Police'],
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
export class ProdutoMapa extends IdentidadeMapa {
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

@ObjectType({ description: 'A third-party warehouse, as an invoice names it.', simpleResolvers: true })
class ArmazemMapa extends EmpresaMapa {
  @Field(() => String, { description: 'Street' })
  endereco!: string;

  @Field(() => String, { description: 'Number in the street' })
  numero!: string;

  @Field(() => String, { nullable: true, description: 'Part of the building' })
  complemento!: string | null;

  @Field(() => String, { description: 'Neighbourhood' })
  bairro!: string;

  @Field(() => String, { description: 'Postal code (CEP), 8 digits' })
  cep!: string;

  @Field(() => String, { description: 'State of Brazil, such as `SC`' })
  uf!: string;

  @Field(() => Int, { description: "IBGE's code of the municipality" })
  codigoMunicipio!: number;
}

@ObjectType({ description: 'An invoice in the map (record MVN).', simpleResolvers: true })
export class NotaMapa {
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

  @Field(() => ArmazemMapa, {
    nullable: true,
    description: 'Where a third party stored the goods (record MA, if the file has such)',
  })
  armazem!: ArmazemMapa | null;

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

  @ChoiceField(states, { description: states.description })
  situacao!: ValueOf<typeof states>;

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

  @Field(() => [PendenciaMapa], {
    description: `What is missing or odd in the records of the month now, the first ${SHOWN_FINDINGS}; the report of them lists all`,
  })
  pendencias!: PendenciaMapa[];
}
