import { GraphQLBoolean, GraphQLEnumType, type GraphQLInputType } from 'graphql';
import type { Table } from '../reports/table.ts';
import { type Parameter } from './parameter.ts';

/** A parameter that only REST has. */
export const ofRest = (
  name: string,
  type: GraphQLInputType,
  defaultValue: unknown,
  description: string,
): Parameter => ({
  name,
  property: name,
  place: 'query',
  of: 'rest',
  type,
  defaultValue,
  description,
});

/** Additional parameter of lists with an export (specification 4.1). GraphQL has no files. */
const sheetFormat = ofRest(
  'formatoPlanilha',
  new GraphQLEnumType({ name: 'FormatoPlanilha', values: { csv: {}, xlsx: {} } }),
  'csv',
  'Kind of spreadsheet',
);
export const exportParameters: readonly Parameter[] = [
  ofRest('export', GraphQLBoolean, false, 'Whether to send the whole filtered, ordered list as a file'),
  sheetFormat,
];

/** Additional parameter of files that a browser can show. */
export const inlineParameter = ofRest(
  'inline',
  GraphQLBoolean,
  false,
  'Whether to send the bytes for a browser to show, if it can do so safely, instead of JSON',
);

const Orientacao = new GraphQLEnumType({ name: 'Orientacao', values: { landscape: {}, portrait: {} } });

/** Additional parameters of reports (specification 4.8). */
export const reportParameters = ({ orientation }: Table): Parameter[] => [
  ofRest('pdf', GraphQLBoolean, false, 'Whether to send the whole report as a PDF'),
  ofRest('planilha', GraphQLBoolean, false, 'Whether to send the whole report as a spreadsheet'),
  sheetFormat,
  ofRest('orientacao', Orientacao, orientation ?? 'portrait', 'How the pages of the PDF lie'),
];
