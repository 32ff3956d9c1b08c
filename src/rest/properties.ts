import { getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { type Parameter } from './parameter.ts';
import { snakePath } from '../text/names.ts';

/**
 * Converts legacy arguments to those of the GraphQL field: body fields are collected in `input`, and nested names are
 * converted back.
 */
export function toProperties(
  parameters: readonly Parameter[],
  given: Record<string, unknown>,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const input: Record<string, unknown> = {};
  for (const { name, property, of, type } of parameters) {
    if (of !== 'rest' && Object.hasOwn(given, name))
      (of === 'input' ? input : args)[property] = propertiesOf(type, given[name]);
  }
  if (parameters.some(parameter => parameter.of === 'input')) args['input'] = input;
  return args;
}

function propertiesOf(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(bare)) return (value as unknown[]).map(item => propertiesOf(bare.ofType, item));
  if (!isInputObjectType(bare)) return value;
  const fields = Object.values(bare.getFields()).filter(field => Object.hasOwn(value, field.name));
  return Object.fromEntries(
    fields.map(field => [
      field.extensions['property'],
      propertiesOf(field.type, (value as Record<string, unknown>)[field.name]),
    ]),
  );
}

const AS_SENT = '?';

/** Marks a name as the client wrote it. It is shown without conversion. */
export const asSent = (name: string): string => AS_SENT + name;

/** The legacy name of an invalid field: `id_unidade_medida`, `ItensPerPage`, `movimentacoes[1].id_lote`. */
export function legacyFieldName(parameters: readonly Parameter[], field: string): string {
  if (field.startsWith(AS_SENT)) return field.slice(AS_SENT.length);
  const [, first = field, rest = ''] = /^([^.[]+)(.*)$/.exec(field) ?? [];
  const parameter = parameters.find(p => p.property === first);
  return parameter ? parameter.name + snakePath(rest) : snakePath(field);
}
