import { Arg, Args, Int, Mutation, Query, Resolver } from 'type-graphql';
import { createRecord, deleteRecord, updateRecord, type Complete } from '../domain/records.ts';
import type { Autoria, Registro } from '../entities/registro.ts';
import type { ListArgs } from '../listing/args.ts';
import { Page } from '../listing/page.ts';
import { recordList, type Scope } from '../listing/list.ts';
import type { Call } from '../request/call.ts';
import { TheCall, TheVersionedCall } from '../request/the-call.ts';
import { declare, define, own, type Class, type Method, type Operation } from './method.ts';

const ID = { description: 'Identifier of the record' };

/**
 * The resolver of a plain resource: a table of its operations by GraphQL name. Reading requires level 1 on the
 * controller, writing level 2. Other operations go into a resolver class.
 *
 *     export const UnidadeMedidaResolver = resource(UnidadeMedida, 'almoxarifadoquimicos/unidades-medida', {
 *       unidadesMedida: list(UnidadesMedidaArgs, 'Units in which materials are counted'),
 *       unidadeMedida: one('One unit; null when there is none with this id'),
 *     });
 */
export function resource<T extends object>(
  entity: Class<T>,
  controller: string,
  operations: Record<string, Operation<T>>,
): Class<object> {
  class ResourceResolver {}
  const prototype = ResourceResolver.prototype as Record<string, unknown>;
  for (const [name, operation] of Object.entries(operations))
    operation({ prototype, name, entity, controller });
  Resolver()(ResourceResolver);
  return ResourceResolver;
}

/** Adds conditions that are not column filters. */
type Scoping<A> = (args: A, call: Call) => Promise<Scope>;

/**
 * The list of an args class:
 *
 *     unidadesMedida: list(UnidadesMedidaArgs, 'Units in which materials are counted'),
 */
export const list =
  <T extends object, A extends ListArgs>(
    args: Class<A>,
    description: string,
    scope?: Scoping<A>,
  ): Operation<T> =>
  method =>
    declare(method, 1, lists(method, args, description, scope));

/**
 * A list in which callers see their own records; with level 1 on the controller they see all. `person` is the path to
 * the owner, or null if the scope limits the records.
 */
export const listOwn =
  <T extends object, A extends ListArgs>(
    args: Class<A>,
    description: string,
    person: string | null,
    scope?: Scoping<A>,
  ): Operation<T> =>
  method => {
    const owned = async (given: A, call: Call) => ({
      ...(person && (await ownOnly(call, method.controller, person))),
      ...(await scope?.(given, call)),
    });
    own(method, person, lists(method, args, description, owned));
  };

/** Defines the method of a list. Returns the decorator that makes it a query. */
function lists<T extends object, A extends ListArgs>(
  method: Method<T>,
  args: Class<A>,
  description: string,
  scope?: Scoping<A>,
): MethodDecorator {
  const run = async (given: A, call: Call) => recordList(given, await scope?.(given, call));
  define(method, run, [Args(() => args), TheCall()]);
  const page = Page(method.entity);
  return Query(() => page, { description });
}

/** The condition that limits callers without read permission on the controller to their own records. */
async function ownOnly({ context }: Call, controller: string, person: string): Promise<Scope> {
  return (await context.caller.readsAll(controller)) ? {} : { [person]: (await context.session()).idPessoa };
}

/** Values that identify a record that has no single id. */
interface Key {
  description: string;
  nullable?: boolean;
}

/** The record with an id, or with these keys, within a scope; null when there is none. */
export const one =
  <T extends Autoria>(
    description: string,
    keys: Record<string, Key> = { id: ID },
    scope: Scope = {},
  ): Operation<T> =>
  method => {
    const names = Object.keys(keys);
    const run = (...given: unknown[]): Promise<T | null> => {
      const call = given.pop() as Call;
      const values = names.map((name, i) => [name, given[i]] as const).filter(([, value]) => value != null);
      return call.one(method.entity, { ...Object.fromEntries(values), ...scope });
    };
    const args = Object.entries(keys).map(([name, options]) => Arg(name, () => Int, options));
    define(method, run, [...args, TheCall()]);
    declare(
      method,
      1,
      Query(() => method.entity, { description, nullable: true }),
    );
  };

/** Creates a record from an input. `complete` sets everything that is not a plain column. */
export const create =
  <T extends Registro, I extends object>(
    input: Class<I>,
    description: string,
    complete?: Complete<T, I>,
  ): Operation<T> =>
  method => {
    define(method, (given: I, call: Call) => createRecord(call, method.entity, given, complete), [
      inputOf(input),
      TheCall(),
    ]);
    writes(method, description);
  };

/** Changes the given fields of a record. */
export const update =
  <T extends Registro, I extends object>(
    input: Class<I>,
    description: string,
    complete?: Complete<T, I>,
  ): Operation<T> =>
  method => {
    define(
      method,
      (key: number, given: I, call: Call) => updateRecord(call, method.entity, key, given, complete),
      [id(), inputOf(input), TheVersionedCall()],
    );
    writes(method, description);
  };

/** Deletes a record and returns its last state. `complete` runs in the same transaction. */
export const remove =
  <T extends Registro>(description: string, complete?: Complete<T, object>): Operation<T> =>
  method => {
    define(method, (key: number, call: Call) => deleteRecord(call, method.entity, key, complete), [
      id(),
      TheVersionedCall(),
    ]);
    writes(method, description);
  };

/** Inactivates a record instead of deleting it, and returns its new state. */
export const inactivate =
  <T extends Registro>(description: string, complete?: Complete<T, object>): Operation<T> =>
  method => {
    const change = { situacao: 'I' };
    define(method, (key: number, call: Call) => updateRecord(call, method.entity, key, change, complete), [
      id(),
      TheVersionedCall(),
    ]);
    writes(method, description);
  };

const id = () => Arg('id', () => Int, ID);
const inputOf = (input: Class<object>) => Arg('input', () => input, { description: 'Values of the record' });

/** A mutation that returns the record. */
const writes = <T extends Registro>(method: Method<T>, description: string): void =>
  declare(
    method,
    2,
    Mutation(() => method.entity, { description }),
    { inTransaction: true },
  );
