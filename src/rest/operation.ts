import type { Parameter } from './parameter.ts';
import {
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isInputObjectType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import { accessOf, isInTransaction } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { listOfQuery } from '../listing/declaration.ts';
import { inputRules, legacyDescription } from './legacy-field.ts';
import type { LegacyTypes } from './legacy-types.ts';
import { snakeCase, snakeQuoted } from '../text/names.ts';
import { exportParameters, inlineParameter, ofRest, reportParameters } from './rest-parameters.ts';
import type { Route } from './route.ts';
import { argumentRules } from './rule-schema.ts';

/** A route, with its types and permissions from the schema. */
export interface Operation {
  route: Route;
  /** Name of the view's root field. It is unique, but the GraphQL field may serve several operations. */
  name: string;
  kind: 'query' | 'mutation';
  /** The GraphQL field that answers. */
  field: GraphQLField<unknown, Context>;
  parameters: readonly Parameter[];
  /** Record fields to leave out, by GraphQL name. */
  omits: readonly string[];
  /** The operations that replace it when the parameter of this name is true. */
  variants: Readonly<Record<string, Operation>>;
}

/**
 * Builds an operation from a route and the schema.
 * @throws Error for a route without a field, or one that names an argument which does not exist
 */
export function operationOf(schema: GraphQLSchema, route: Route, types: LegacyTypes): Operation {
  const { shownOn = {}, turns = {}, omits = [], omitsOn = {} } = route;
  const flags = Object.keys(turns).map(name =>
    ofRest(name, GraphQLBoolean, false, turnedDescription(schema, turns[name]!)),
  );
  const query = schema.getQueryType()?.getFields()[route.field];
  const field = query ?? schema.getMutationType()?.getFields()[route.field];
  if (!field) throw new Error(`${nameOf(route)}: the schema has no field ${route.field}`);
  const whole: Operation = {
    route,
    name: operationName(route),
    kind: query ? 'query' : 'mutation',
    field,
    parameters: [
      ...field.args
        .filter(({ name, extensions }) => name !== VERSION && extensions['graphqlOnly'] !== true)
        .filter(({ name }) => !route.without?.includes(name))
        .flatMap(arg => parametersOf(arg, route, types)),
      ...Object.entries(shownOn).map(([shown, name]) =>
        ofRest(name, GraphQLBoolean, false, `Whether to show \`${snakeCase(shown)}\``),
      ),
      ...Object.entries(omitsOn).map(([name, left]) =>
        ofRest(name, GraphQLBoolean, false, omitsDescription(omits, left)),
      ),
      ...flags,
      ...(route.exports ? exportParameters : []),
      ...(route.shows ? [inlineParameter] : []),
      ...(route.report ? reportParameters(route.report) : []),
    ],
    omits,
    variants: {},
  };
  checkNames(whole);
  const shown = Object.values(shownOn).map(name => [name, { ...whole, name: `${whole.name}_${name}` }]);
  const left = Object.entries(omitsOn).map(([name, others]) => [
    name,
    { ...whole, omits: others, name: `${whole.name}_${name}` },
  ]);
  const turned = Object.entries(turns).map(([name, other]) => {
    const { turns: _, ...rest } = route;
    const variant = operationOf(schema, { ...rest, field: other }, types);
    // A flag that is given twice is refused, whichever of its values was taken.
    const parameters = [...variant.parameters, ...flags];
    return [name, { ...variant, parameters, name: `${whole.name}_${name}` }];
  });
  return {
    ...whole,
    omits: [...omits, ...Object.keys(shownOn)],
    variants: Object.fromEntries([...shown, ...left, ...turned]),
  };
}

/** The mutation argument that REST replaces by the header `If-Match`. */
const VERSION = 'versao';

/** Whether the operation changes one record that has a version. */
export const takesVersion = ({ kind, field }: Operation): boolean =>
  kind === 'mutation' && field.args.some(arg => arg.name === VERSION);

/** An operation and its variants. */
export const withVariants = (operation: Operation): Operation[] => [
  operation,
  ...Object.values(operation.variants),
];

/** Whether it does all that it does in one transaction, also by its variants. */
export const isOneTransaction = (operation: Operation): boolean =>
  withVariants(operation).every(({ field }) => isInTransaction(accessOf(field)));

/** Describes a parameter that changes the omitted fields. */
function omitsDescription(usual: readonly string[], others: readonly string[]): string {
  const changes = [
    ['show', usual.filter(name => !others.includes(name))],
    ['leave out', others.filter(name => !usual.includes(name))],
  ] as const;
  const clauses = changes
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.map(name => `\`${snakeCase(name)}\``).join(', ')}`);
  return `Whether to ${clauses.join(' and ')}`;
}

const turnedDescription = (schema: GraphQLSchema, field: string): string =>
  `If true, instead: ${schema.getMutationType()!.getFields()[field]!.description!}`;

const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** `get_almoxarifadoquimicos_materiais_id`; also the operationId of the documentation. */
const operationName = (route: Route): string =>
  nameOf(route)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '');

function checkNames({ route, parameters }: Operation): void {
  const { spelled = {}, usual = {}, required = [], present = [], query = [], onlyWith = {} } = route;
  const named = [spelled, usual, onlyWith].flatMap(Object.keys);
  const names = [...named, ...required, ...present, ...query];
  const unknown = names.find(name => !parameters.some(parameter => parameter.property === name));
  if (unknown) throw new Error(`${nameOf(route)}: ${route.field} has no argument ${unknown}`);
}

function parametersOf(arg: GraphQLArgument, route: Route, types: LegacyTypes): Parameter[] {
  const object = getNullableType(arg.type);
  if (isInputObjectType(object)) {
    return Object.values(object.getFields()).map(field => ({
      ...parameter(field, route, types, 'input'),
      rules: inputRules(object, field),
    }));
  }
  const { minLength, ...rules } = argumentRules(route.field, arg.name);
  // An empty text is null where that is allowed.
  const whole = isNonNullType(arg.type) && minLength !== undefined ? { ...rules, minLength } : rules;
  return [{ ...parameter(arg, route, types, 'field'), rules: whole }];
}

/** Whether REST pages a list without `pagination`. GraphQL always does. */
const isPagedByDefault = ({ field }: Route): boolean => listOfQuery(field)?.paging === 'default';

/** The value of an argument that a client omits. */
function usualValue(
  { name, defaultValue }: GraphQLArgument | GraphQLInputField,
  route: Route,
  of: 'field' | 'input',
): unknown {
  if (of === 'field' && name === 'pagination') return isPagedByDefault(route);
  return route.usual?.[name] ?? defaultValue;
}

function parameter(
  source: GraphQLArgument | GraphQLInputField,
  route: Route,
  types: LegacyTypes,
  of: 'field' | 'input',
): Parameter {
  const { name: property } = source;
  const description = legacyDescription(source);
  const inPath = of === 'field' && route.path.includes(`{${route.spelled?.[property] ?? property}}`);
  const inBody = of === 'input' || (takesBody(route) && !route.query?.includes(property));
  const place = inPath ? 'path' : inBody ? 'body' : 'query';
  const name = route.spelled?.[property] ?? (place === 'body' ? snakeCase(property) : property);
  const type = of === 'field' ? types.argument(source.type) : types.bodyField(source);
  return {
    name,
    property,
    of,
    place,
    type: route.required?.includes(property) && !isNonNullType(type) ? new GraphQLNonNull(type) : type,
    description: description ? snakeQuoted(description) : undefined,
    defaultValue: usualValue(source, route, of),
    ...(route.present?.includes(property) && { present: true }),
  };
}
