import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { Field, ObjectType } from 'type-graphql';
import { ChoiceField, choices, type ValueOf } from '../entities/choices.ts';
import { CursorScalar } from '../entities/scalars.ts';
import type { Language } from '../messages.ts';
import { inPortuguese } from './parameter-words.ts';
import type { Report } from './report.ts';

const parameterKinds = choices('TipoParametro', 'Kind of value', {
  INTEGER: ['integer', 'A whole number'],
  STRING: ['string', 'A text'],
  BOOLEAN: ['boolean', 'True or false'],
  DATE: ['date', 'A calendar day, YYYY-MM-DD'],
  ENUM: ['enum', 'One of the listed values'],
});
type ParameterKind = ValueOf<typeof parameterKinds>;

@ObjectType({ description: 'Something that a report can be asked with.', simpleResolvers: true })
export class ParametroRelatorio {
  @Field(() => String, { description: 'Name under which it is given' })
  nome!: string;

  @ChoiceField(parameterKinds, { description: parameterKinds.description })
  tipo!: ParameterKind;

  @Field(() => Boolean, { description: 'Whether it must be given' })
  obrigatorio!: boolean;

  @Field(() => String, { nullable: true, description: 'What counts when it is not given' })
  padrao!: string | null;

  @Field(() => [String], { nullable: true, description: 'The only values that it may have' })
  valores!: string[] | null;

  @Field(() => String, { description: 'What it does, in the language of the client' })
  descricao!: string;
}

/** An argument of a query, or a parameter of its path. */
interface Declared {
  name: string;
  type: GraphQLInputType;
  defaultValue?: string | number | boolean | undefined;
  description?: string | null | undefined;
  /** Its GraphQL name, if it is a parameter of a path. */
  property?: string;
}

/** An operation of the REST view, as named by its schema. */
interface RestOperation {
  field: { name: string };
  parameters: readonly Declared[];
}

/**
 * The parameters of a report in this schema. GraphQL and REST have different names, and some parameters exist in only
 * one of them. What GraphQL builds of the columns (`filter`, `orderBy`) or hands out (`after`) is no parameter, because no
 * person fills it in.
 */
export function parametersOf(
  schema: GraphQLSchema,
  report: Report,
  language: Language,
): ParametroRelatorio[] {
  const { field } = report;
  const words = language === 'pt' ? inPortuguese(report) : undefined;
  const operations = schema.extensions['operations'] as readonly RestOperation[] | undefined;
  const parameters: readonly Declared[] = operations
    ? operations.find(one => one.field.name === field)!.parameters
    : (schema.getQueryType()!.getFields()[field]!.args as readonly Declared[]);
  return parameters
    .filter(({ type }) => isFilledIn(type))
    .map(({ name, property = name, type, defaultValue, description }) => ({
      nome: name,
      tipo: kindOf(type),
      obrigatorio: isNonNullType(type) && defaultValue === undefined,
      padrao: defaultValue === undefined ? null : String(defaultValue),
      valores: valuesOf(type),
      descricao: words?.get(property) ?? description!,
    }));
}

const isFilledIn = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return !isInputObjectType(named) && named !== CursorScalar;
};

const kinds: Readonly<Record<string, ParameterKind>> = { Int: 'integer', Boolean: 'boolean', Date: 'date' };

const kindOf = (type: GraphQLInputType): ParameterKind =>
  valuesOf(type) ? 'enum' : (kinds[getNamedType(type).name] ?? 'string');

/** The names of an enumeration. Names that differ only in case count once. */
function valuesOf(type: GraphQLInputType): string[] | null {
  const named = getNamedType(type);
  if (!isEnumType(named)) return null;
  const names = named.getValues().map(value => value.name);
  return names.filter(name => name === name.toLowerCase() || !names.includes(name.toLowerCase()));
}
