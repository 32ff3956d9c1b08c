import { execute, visit, type DocumentNode, type ExecutionResult, type VariableNode } from 'graphql';
import type { ChangePage } from '../changes/follow.ts';
import type { Run } from './execution.ts';
import { resolveInSlices } from './long-lists.ts';

/** Subscribers with equal rights get the same page. The result is computed once for all with the same selection. */
const showing = new WeakMap<ChangePage, Map<string, Promise<ExecutionResult>>>();

export function shown(run: Run, page: ChangePage): Promise<ExecutionResult> {
  let all = showing.get(page);
  if (!all) showing.set(page, (all = new Map()));
  const { schema, document, operation, context, given } = run;
  const key = selectionKey(run);
  let result = all.get(key);
  if (!result) {
    const shows = execute({
      schema,
      document,
      operationName: operation.name?.value,
      rootValue: page,
      contextValue: context,
      variableValues: given,
      fieldResolver: resolveInSlices,
    });
    all.set(key, (result = Promise.resolve(shows)));
  }
  return result;
}

/** The number of a document, and the variables that affect its selection: those of directives. */
const shapes = new WeakMap<DocumentNode, { number: number; variables: readonly string[] }>();
let documents = 0;

function selectionKey({ document, operation, given }: Run): string {
  let shape = shapes.get(document);
  if (!shape) {
    const variables: string[] = [];
    // A visitor that returns a value would replace the node.
    const note = {
      Variable: ({ name }: VariableNode): void => {
        variables.push(name.value);
      },
    };
    visit(document, {
      Directive: (node): void => {
        visit(node, note);
      },
    });
    shapes.set(document, (shape = { number: ++documents, variables }));
  }
  return JSON.stringify([shape.number, operation.name?.value, shape.variables.map(name => given[name])]);
}
