import bodiesJson from './bodies.json' with { type: 'json' };
import operationsJson from './operations.json' with { type: 'json' };

/**
 * A query parameter with the type of the specification: `order` is asc|desc; others are JSON types, or values separated
 * by `|`.
 */
export interface SpecifiedParameter {
  name: string;
  type: string;
  required?: boolean;
  default?: unknown;
}

export interface SpecifiedOperation {
  method: string;
  path: string;
  query: SpecifiedParameter[];
  /** Name of its body in `bodies`. */
  body?: string;
}

export interface SpecifiedField {
  name: string;
  type: string;
  required?: boolean;
  nullable?: boolean;
}

export const operations: readonly SpecifiedOperation[] = operationsJson;
export const bodies: Readonly<Record<string, readonly SpecifiedField[]>> = bodiesJson;

export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
