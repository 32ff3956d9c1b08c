import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** A text that many records contain, and one that none does: PostgreSQL plans without knowing which it is. */
const TEXTS = ['"a"', '"zzqxk"'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  String: TEXTS,
  Int: ['12'],
  Float: ['3'],
  Decimal: ['3'],
  Boolean: ['true'],
  Date: ['"2026-06-01"'],
  DateTime: ['"2026-06-01T00:00:00.000Z"'],
};

/** Most fields that are selected of a record, and most orders that are combined with a rare text. */
const SOME = 12;
const FEW = 6;

const PAGE = 'itemsPerPage: 10';

const fieldsOf = (type: GraphQLInputObjectType): GraphQLInputField[] => Object.values(type.getFields());
const inputOf = ({ type }: { type: unknown }): GraphQLInputObjectType | undefined => {
  const named = getNamedType(type as never);
  return isInputObjectType(named) ? named : undefined;
};

/** Whether an input compares a column with values, in contrast to a condition on a record. */
const compares = (input: GraphQLInputObjectType): boolean =>
  !('and' in input.getFields()) && !('some' in input.getFields());

/** Each comparison of a column, with each value. */
function comparisonsOf(name: string, input: GraphQLInputObjectType): string[] {
  return fieldsOf(input).flatMap(({ name: operator, type }) => {
    const named = getNamedType(type);
    const values = isEnumType(named) ? [named.getValues()[0]!.name] : (VALUES[named.name] ?? []);
    const isList = isListType(getNullableType(type));
    return values.map(value => `{ ${name}: { ${operator}: ${isList ? `[${value}]` : value} } }`);
  });
}

/** Conditions on a linked record, by one of its texts. */
function linkedTexts(input: GraphQLInputObjectType): string[] {
  const text = fieldsOf(input).find(({ type }) => getNamedType(type).name === 'TextFilter');
  return text ? TEXTS.map(value => `{ ${text.name}: { contains: ${value} } }`) : [];
}

function filtersOf(input: GraphQLInputObjectType): string[] {
  return fieldsOf(input).flatMap(field => {
    const { name } = field;
    const below = inputOf(field);
    if (!below || ['and', 'or', 'not'].includes(name)) return [];
    if (compares(below)) return comparisonsOf(name, below);
    const { some } = below.getFields();
    if (!some) return [...linkedTexts(below), '{ id: { eq: 12 } }'].map(one => `{ ${name}: ${one} }`);
    const conditions = ['{}', ...linkedTexts(inputOf(some)!)];
    return fieldsOf(below).flatMap(quantifier =>
      conditions.map(one => `{ ${name}: { ${quantifier.name}: ${one} } }`),
    );
  });
}

/** Each order by a column, in both directions, and by the first columns of each link. */
function ordersOf(input: GraphQLInputObjectType): string[] {
  return fieldsOf(input).flatMap(field => {
    const below = inputOf(field);
    if (!below) return [`{ ${field.name}: asc }`, `{ ${field.name}: desc }`];
    const columns = fieldsOf(below).filter(one => !inputOf(one));
    return columns.slice(0, 3).map(({ name }) => `{ ${field.name}: { ${name}: asc } }`);
  });
}

/** What makes groups: each column, the first column of each link, and the first part of each moment. */
function groupingsOf(input: GraphQLInputObjectType): string[] {
  return fieldsOf(input).flatMap(field => {
    const below = inputOf(field);
    const named = getNamedType(field.type);
    if (isEnumType(named)) return [`{ ${field.name}: ${named.getValues()[0]!.name} }`];
    const column = below && fieldsOf(below).find(one => getNamedType(one.type).name === 'Boolean');
    if (below) return column ? [`{ ${field.name}: { ${column.name}: true } }`] : [];
    return [`{ ${field.name}: true }`];
  });
}

const isAskedAlone = ({ args }: GraphQLField<unknown, unknown>): boolean => !args.some(isRequiredArgument);

function columnsOf(type: GraphQLObjectType): string {
  const columns = Object.values(type.getFields()).filter(
    field => isLeafType(getNamedType(field.type)) && isAskedAlone(field),
  );
  return columns.length > 0
    ? columns
        .slice(0, SOME)
        .map(({ name }) => name)
        .join(' ')
    : '__typename';
}

/** The selection of a linked record, of records, or of a page of records. */
function below(type: GraphQLObjectType): string {
  const { data, total } = type.getFields();
  if (!data || !total) return columnsOf(type);
  return `total data { ${columnsOf(getNamedType(data.type) as GraphQLObjectType)} }`;
}

/** Questions about one list, one thing at a time: filters, orders, a rare text in some orders, groups, and neighbours. */
function questionsOf({ name, type, args }: GraphQLField<unknown, unknown>): string[] {
  const page = getNamedType(type) as GraphQLObjectType;
  const record = getNamedType(page.getFields()['data']!.type) as GraphQLObjectType;
  const inputs = Object.fromEntries(args.map(arg => [arg.name, inputOf(arg)]));
  const filters = filtersOf(inputs['filter']!);
  const orders = ordersOf(inputs['orderBy']!);
  const rare = filters.filter(filter => filter.includes(TEXTS[1]!)).slice(0, FEW);
  const among = orders.filter((_, i) => i % 5 === 0).slice(0, FEW);
  const both = rare.flatMap(filter => among.map(order => `filter: ${filter}, orderBy: [${order}]`));
  const asked = (given: string, selected: string): string =>
    `{ ${name}(${given ? `${PAGE}, ${given}` : PAGE}) { ${selected} } }`;
  const columns = columnsOf(record);
  const groups = page.getFields()['groups'];
  const by = groups && inputOf(groups.args.find(arg => arg.name === 'by')!);
  return [
    ...['', ...filters.map(one => `filter: ${one}`), ...orders.map(one => `orderBy: [${one}]`), ...both].map(
      given => asked(given, `total data { ${columns} }`),
    ),
    ...(by ? groupingsOf(by) : []).map(one => asked('', `groups(by: [${one}], first: 10) { count }`)),
    ...Object.values(record.getFields()).flatMap(field => {
      const linked = getNamedType(field.type);
      if (!isObjectType(linked) || !isAskedAlone(field)) return [];
      return [asked('', `data { ${columns} ${field.name} { ${below(linked)} } }`)];
    }),
  ];
}

const PAGED = ['filter', 'orderBy', 'itemsPerPage'];

/** Every question, in GraphQL, about the lists whose name contains `only`. */
export const graphQuestions = (schema: GraphQLSchema, only: string): string[] =>
  Object.values(schema.getQueryType()!.getFields())
    .filter(field => field.name.includes(only) && isAskedAlone(field))
    .filter(({ args }) => PAGED.every(name => args.some(arg => arg.name === name)))
    .flatMap(questionsOf);
