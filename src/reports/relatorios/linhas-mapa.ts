import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { LINE_ORDER, MAP_LINES } from '../../domain/map-lines.ts';
import { Filter, List } from '../../listing/args.ts';
import * as cells from '../controlled-cells.ts';
import { MonthArgs } from '../month-args.ts';
import { Cell, report } from '../report.ts';
import { ReckonedRow } from '../row.ts';

const EXPRESSION = `
select row_number() over (order by ano, mes, ${LINE_ORDER})::int as id, ano, mes, registro, sentido, operacao, numero_nf, data,
  empresa, cnpj, transportadora, armazem ->> 'nome' as armazem, produto, codigo, concentracao, densidade::float8, quantidade::float8, unidade,
  finalidade, observacao
from (${MAP_LINES}) linha`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description:
    'A line of the monthly map of controlled chemicals: a product of an invoice, or what was consumed of it on a day for a purpose. Of a closed month they stay as they were.',
  simpleResolvers: true,
})
export class LinhaMapa extends ReckonedRow {
  @cells.Ano()
  ano!: number;

  @cells.Mes('ano')
  mes!: number;

  @Cell('text', {
    title: 'Registro',
    description: 'Record of the file: `MVN` with an invoice, `UC` consumption',
    width: 9,
  })
  registro!: string;

  @Cell('text', {
    title: 'Entrada ou saída',
    description: '`E` came in with the invoice, `S` went out; null for consumption',
    nullable: true,
    width: 8,
    sheetOnly: true,
  })
  sentido!: string | null;

  @Cell('date', {
    title: 'Data',
    description: 'Day of issue of the invoice, or of the consumption',
    nullable: true,
  })
  data!: string | null;

  @Cell('text', {
    title: 'Op.',
    description: 'Operation of the invoice, such as `EC`',
    nullable: true,
    width: 5,
    under: 'registro',
  })
  operacao!: string | null;

  @Cell('text', { title: 'Nota fiscal', description: 'Number of the invoice', nullable: true, width: 11 })
  numeroNf!: string | null;

  @Cell('text', { title: 'Empresa', description: 'Supplier or recipient', nullable: true, width: 22 })
  empresa!: string | null;

  @Cell('text', {
    title: 'CNPJ',
    description: 'CNPJ of the company',
    nullable: true,
    width: 16,
    under: 'empresa',
  })
  cnpj!: string | null;

  @Cell('text', { title: 'Transportadora', description: 'Carrier', nullable: true, width: 18 })
  transportadora!: string | null;

  @Cell('text', {
    title: 'Armazém',
    description: 'Company of the third-party warehouse',
    nullable: true,
    width: 18,
    under: 'transportadora',
  })
  armazem!: string | null;

  @cells.Produto(22)
  produto!: string;

  @cells.Codigo()
  codigo!: string | null;

  @cells.Concentracao()
  concentracao!: number | null;

  @cells.Densidade()
  densidade!: number | null;

  @Cell('decimal', {
    title: 'Quantidade',
    description: 'In kg or L',
    nullable: true,
    width: 11,
    total: true,
    places: 3,
  })
  quantidade!: number | null;

  @cells.Unidade()
  unidade!: string | null;

  @Cell('integer', {
    title: 'Fin.',
    description: 'Purpose of the consumption, 1 to 5',
    nullable: true,
    width: 5,
  })
  finalidade!: number | null;

  @Cell('text', {
    title: 'Observação',
    description: 'Remark, if all movements of the line have it',
    nullable: true,
    width: 18,
  })
  observacao!: string | null;
}

@List(() => LinhaMapa, { paging: 'optional', usually: ['-ano', '-mes'] })
export class LinhasMapaArgs extends MonthArgs {
  @Filter(() => String, 'registro', { match: 'exact' }) registro?: string;
  @Filter(() => String, 'codigo', { match: 'exact' }) codigo?: string;
  @Filter(() => String, 'produto') produto?: string;
}

export const LinhasMapaResolver = report(LinhaMapa, LinhasMapaArgs, {
  id: 13,
  path: 'almoxarifado-quimicos/linhas-mapa',
  title: 'Mapa mensal de produtos controlados',
  description: 'The lines of the monthly map of controlled chemicals, in kg or L',
  strict: true,
  beyond: true,
  orientation: 'landscape',
  totalsBy: [
    'ano',
    'mes',
    'registro',
    'sentido',
    'produto',
    'codigo',
    'concentracao',
    'densidade',
    'unidade',
  ],
  totalsTitle: 'Somas por produto',
  signedBy: ['Responsável técnico (cargo e registro profissional)'],
});
