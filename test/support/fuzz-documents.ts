import fc from 'fast-check';
import type { Context } from '../../src/request/context.ts';
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { anyBody, anyJson, anyText, jsonObject, oddMember, words } from './fuzz-values.ts';
import { selectAll } from './select-all.ts';

/** A value of the type, as JSON. An id is usually that of an existing record. */
function fitting(type: GraphQLInputType, name: string, depth = 0): fc.Arbitrary<string> {
  const bare = getNullableType(type);
  if (isListType(bare))
    return fc
      .array(anyValue(bare.ofType, name, depth + 1), { maxLength: depth > 2 ? 1 : 3 })
      .map(items => `[${items.join(',')}]`);
  if (isEnumType(bare)) return fc.constantFrom(...bare.getValues()).map(one => JSON.stringify(one.name));
  if (isInputObjectType(bare) && isDerived(bare)) {
    const members = fc
      .constantFrom(...Object.values(bare.getFields()))
      .chain(field => anyValue(field.type, field.name, depth + 1).map(json => [field.name, json] as const));
    return fc.array(members, { maxLength: depth > 6 ? 0 : 2 }).map(jsonObject);
  }
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields()).map(field => {
      const one = anyValue(field.type, field.name, depth + 1).map(json => [[field.name, json] as const]);
      const absent = fc.constant([]);
      return fc.oneof(
        { weight: 12, arbitrary: one },
        { weight: isRequiredInputField(field) ? 1 : 6, arbitrary: absent },
      );
    });
    const odd = fc.oneof(
      { weight: 20, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: oddMember.map(one => [one]) },
    );
    return fc.tuple(...fields, odd).map(parts => jsonObject(parts.flat()));
  }
  return scalar(bare.name, name);
}

/** Filters and orderings are recursive and have many members. Clients send only a few of them. */
const isDerived = ({ name }: GraphQLInputObjectType): boolean => /(Filter|OrderBy|GroupBy)$/.test(name);

function scalar(type: string, name: string): fc.Arbitrary<string> {
  if (type === 'Int') return fc.integer({ min: 1, max: 5 }).map(String);
  if (type === 'Boolean') return fc.boolean().map(String);
  if (type === 'Date') return fc.constantFrom('"2026-01-31"', '"2031/12/01"');
  if (type === 'DateTime')
    return fc.constantFrom('"2031-12-01T12:00:00Z"', '"9999-12-31T23:59:59.999-14:00"');
  if (/mail|conta/i.test(name))
    return fc.constantFrom('"docente@universidade.example"', '"compras@universidade.example"');
  return fc.constantFrom('"S"', '"L"', '"A"', '"texto"', '"Ácido"', '"YQ=="', '"docente"');
}

/** A value of the type or any other, as JSON. */
export const anyValue = (type: GraphQLInputType, name: string, depth = 0): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fitting(type, name, depth) },
    { weight: 1, arbitrary: anyJson },
    { weight: isNonNullType(type) ? 0 : 1, arbitrary: fc.constant('null') },
  );

/** Literals that JSON does not have, and some that GraphQL does not have either. */
const oddLiteral = fc.oneof(
  fc.constantFrom(
    ...words(String.raw`
      null -0 1e400 01 +1 .5 2147483648 """a""" """\""" ENUM true $v $__proto__ [[1]] {} {a:1} {__proto__:1} {a:1,a:2}
      "\u0000" "\uD800" "\u{110000}" "\u{1F4A3}" "\x" # " [ { ( … @skip(if:true)`),
  ),
  anyText.map(text => JSON.stringify(text.toWellFormed())),
);

/** Converts JSON to a GraphQL literal: names have no quotes. */
const asLiteral = (json: string): string => json.replace(/"([_A-Za-z]\w*)":/g, '$1:');

interface Given {
  name: string;
  type: string;
  how: 'absent' | 'literal' | 'variable';
  json: string;
  /** A default of the variable, or the odd literal instead of the value. */
  odd: string | undefined;
}

/** Any request for a root field, in GraphQL's normal envelope or any other: the body of a POST. */
export function anyDocument(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, Context>,
): fc.Arbitrary<Buffer> {
  const args = field.args.map(arg =>
    fc.record({
      name: fc.oneof(
        { weight: 60, arbitrary: fc.constant(arg.name) },
        { weight: 1, arbitrary: fc.constantFrom('id', '__proto__', 'x') },
      ),
      type: fc.oneof(
        { weight: 40, arbitrary: fc.constant(String(arg.type)) },
        { weight: 1, arbitrary: fc.constantFrom('String', 'Int', '[Int!]', 'Nada', 'Int!') },
      ),
      how: isRequiredArgument(arg)
        ? fc.constantFrom('variable' as const, 'variable' as const, 'literal' as const)
        : fc.constantFrom(
            'absent' as const,
            'absent' as const,
            'absent' as const,
            'variable' as const,
            'literal' as const,
          ),
      json: anyValue(arg.type, arg.name),
      odd: fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: oddLiteral }),
    }),
  );
  const selection = fc.constantFrom(0, 1, 2).map(depth => selectAll(field.type, depth));
  const envelope = fc.oneof(
    { weight: 30, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'id', '__proto__'),
          anyJson,
        )
        .map(member => [member]),
    },
  );
  const usual = fc.tuple(fc.tuple(...args), selection, envelope).map(([given, fields, odd]) => {
    const used = (given as Given[]).filter(({ how }) => how !== 'absent');
    const variables = used.filter(({ how }) => how === 'variable');
    const declared = variables.map(
      ({ name, type, odd: byDefault }) => `$${name}: ${type}${byDefault ? ` = ${byDefault}` : ''}`,
    );
    const passed = used.map(
      ({ name, how, json, odd: instead }) =>
        `${name}: ${how === 'variable' ? `$${name}` : (instead ?? asLiteral(json))}`,
    );
    const inParentheses = (parts: string[]): string => (parts.length > 0 ? `(${parts.join(', ')})` : '');
    // An empty selection has no fields.
    const query = `${kind} ${inParentheses(declared)} { ${field.name}${inParentheses(passed)} ${fields === '{  }' ? '' : fields} }`;
    return Buffer.from(
      jsonObject([
        ['query', JSON.stringify(query)],
        ['variables', jsonObject(variables.map(({ name, json }) => [name, json]))],
        ...odd,
      ]),
    );
  });
  return fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: anyBody });
}
