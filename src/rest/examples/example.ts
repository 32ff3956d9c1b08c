/** A call that works on the demo data: parameters in its path and query, and its body. */
export interface Example {
  parameters?: Readonly<Record<string, number | string | boolean>>;
  body: object;
}

/** Examples of bodies, by operation. The ids are those of the demo data, in the order of its files. */
export type Examples = Readonly<Record<string, Example>>;

export const authors = { criado_por: 1, alterado_por: 1 };
