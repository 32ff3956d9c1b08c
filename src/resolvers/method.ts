import type { Arg } from 'type-graphql';
import { Own, Requires, type RequiresOptions } from '../access/access.ts';

export type Class<T> = new () => T;

type ParameterDecorator = ReturnType<typeof Arg>;

/** One query or mutation of a resource: defines the method `name` of a resolver, with its decorators. */
export type Operation<T extends object> = (method: Method<T>) => void;

export interface Method<T> {
  prototype: Record<string, unknown>;
  name: string;
  entity: Class<T>;
  controller: string;
}

/** Adds the method, with the decorators of its parameters. */
export function define<T>(
  { prototype, name }: Method<T>,
  run: (...args: never[]) => unknown,
  parameters: ParameterDecorator[],
): void {
  prototype[name] = run;
  parameters.forEach((decorate, index) => decorate(prototype, name, index));
}

/** Declares that an operation requires a level on the controller. */
export function declare<T>(
  { prototype, name, controller }: Method<T>,
  level: 1 | 2,
  operation: MethodDecorator,
  options?: RequiresOptions,
): void {
  Requires(controller, level, options)(prototype, name, {} as never);
  operation(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
}

/**
 * Declares that everybody may read their own records, and that level 1 on the controller allows to read all. `person`
 * is the path to the owner, if that alone decides who owns a record.
 */
export function own<T>(
  { prototype, name, controller }: Method<T>,
  person: string | null,
  operation: MethodDecorator,
): void {
  Own({ readers: controller, ...(person && { person }) })(prototype, name, {} as never);
  operation(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
}
