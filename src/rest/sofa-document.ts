import {
  getArgumentValues,
  getVariableValues,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { showingValue } from '../graphql/plain-records.ts';
import type { Context } from '../request/context.ts';
import { readOf } from './legacy-field.ts';
import type { Run } from './legacy-schema.ts';

/** What a document of sofa's runs. */
interface Executable {
  /** Calls the root field. Returns its answer as the service has it. */
  call: (run: Run, variables: Record<string, unknown>, context: Context) => Promise<unknown>;
  /** Converts an answer to its legacy form. */
  show: (answer: unknown) => unknown;
}

/**
 * Prepares a document of sofa's. It has one root field, whose arguments are its variables, and no fragments. Everything
 * below is in the records, so they are shown without an executor, which would make an object for each field.
 */
export function executable(schema: GraphQLSchema, { definitions }: DocumentNode): Executable {
  const operation = definitions[0] as OperationDefinitionNode;
  const [node] = operation.selectionSet.selections as readonly [FieldNode];
  const parentType = schema.getRootType(operation.operation)!;
  const fieldName = node.name.value;
  const { [fieldName]: field } = parentType.getFields();
  const fragments = {};
  const show = showingValue(field!.type, fieldName, [node], { readOf, fragments }, 0);
  const info = {
    fieldName,
    fieldNodes: [node],
    returnType: field!.type,
    parentType,
    path: { prev: undefined, key: fieldName, typename: parentType.name },
    schema,
    fragments,
    operation,
  };
  return {
    async call(run, variables, context) {
      const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
      if (errors) throw errors[0]!;
      const called: GraphQLResolveInfo = { ...info, rootValue: run, variableValues: coerced };
      return field!.resolve!(run, getArgumentValues(field!, node, coerced), context, called);
    },
    show(answer) {
      const errors: GraphQLError[] = [];
      const shown = show(answer, { at: () => [fieldName], path: [], errors });
      if (errors[0]) throw errors[0].originalError ?? errors[0];
      return shown;
    },
  };
}
