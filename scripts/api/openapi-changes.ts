import type { Content, Document, Operation, Parameter } from './document.ts';
import { SchemaChanges, type Pair } from './schema-changes.ts';

/**
 * The changes between two documents that break clients, as sentences: a removed path, verb, parameter or field, a newly
 * required one, a type that accepts less, a different answer.
 */
export function openApiChanges(before: Document, after: Document): string[] {
  const compare = new Comparison([before, after]);
  return Object.entries(before.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const where = `${verb.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[verb];
      return now ? compare.operation(where, [operation, now]) : [`${where} was removed`];
    }),
  );
}

class Comparison {
  readonly #sent: SchemaChanges;
  readonly #answered: SchemaChanges;

  constructor(documents: Pair<Document>) {
    this.#sent = new SchemaChanges(documents, 'sent');
    this.#answered = new SchemaChanges(documents, 'answered');
  }

  operation(where: string, [before, after]: Pair<Operation>): string[] {
    return [
      ...this.#parameters(where, [before.parameters, after.parameters]),
      ...this.#body(`${where}: the body`, [before, after]),
      ...Object.entries(before.responses).flatMap(([status, { content }]) =>
        this.#answer(`${where}: the answer ${status}`, status, [content, after.responses[status]?.content]),
      ),
    ];
  }

  #parameters(where: string, [before, after]: Pair<Parameter[]>): string[] {
    const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in;
    const named = (one: Parameter): string => `${where}: the ${one.in} parameter ${one.name}`;
    const demanded = after.filter(now => now.required && !before.find(same(now))?.required);
    return [
      ...demanded.map(now => `${named(now)} is now required`),
      ...before.flatMap(was => {
        const now = after.find(same(was));
        if (!now) return [`${named(was)} was removed`];
        const [old, current] = [was.schema.default, now.schema.default].map(value => JSON.stringify(value));
        return [
          ...(old === current ? [] : [`${named(was)} has another default: ${current ?? 'none'}, not ${old ?? 'none'}`]),
          ...this.#sent.of(named(was), [was.schema, now.schema]),
        ];
      }),
    ];
  }

  #body(where: string, [{ requestBody: before }, { requestBody: after }]: Pair<Operation>): string[] {
    if (!before) return after?.required ? [`${where} is now required`] : [];
    if (!after) return [`${where} was removed`];
    const demanded = after.required && !before.required ? [`${where} is now required`] : [];
    return [...demanded, ...this.#content(where, this.#sent, [before.content, after.content])];
  }

  /** Errors are components of one shape. One error more or less does not change the answer. */
  #answer(where: string, status: string, [before, after]: Pair<Content | undefined>): string[] {
    if (Number(status) >= 400) return [];
    return this.#content(where, this.#answered, [before ?? {}, after ?? {}]);
  }

  #content(where: string, changes: SchemaChanges, [before, after]: Pair<Content>): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const now = after[type]?.schema;
      return now ? changes.of(where, [schema, now]) : [`${where} is no longer ${type}`];
    });
  }
}
