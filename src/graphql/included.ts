import {
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableNode,
} from 'graphql';

/** An operation of a document, with its variables as sent. */
export interface SentOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  given: Readonly<Record<string, unknown>>;
}

/** The value of a variable, as sent or by its default; undefined if it has neither. */
export function variableValue(
  { operation, given }: SentOperation,
  { name: { value: name } }: VariableNode,
): unknown {
  if (Object.hasOwn(given, name)) return given[name];
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return definition?.defaultValue && valueFromASTUntyped(definition.defaultValue);
}

/** Whether a variable decides if a selection is left in. */
export const dependsOnVariable = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ arguments: args = [] }) => args.some(({ value }) => value.kind === Kind.VARIABLE));

/** Whether `@skip` and `@include` leave a selection in the operation. */
export function isIncluded({ directives = [] }: SelectionNode, sent: SentOperation): boolean {
  return directives.every(({ name, arguments: [condition] = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    const left = name.value === 'skip';
    if (condition?.value.kind === Kind.BOOLEAN) return condition.value.value !== left;
    return condition?.value.kind !== Kind.VARIABLE || variableValue(sent, condition.value) !== left;
  });
}
