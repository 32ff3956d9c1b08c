import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { createParameterDecorator, Int } from 'type-graphql';
import { type Access, accessOf } from '../access/access.ts';
import type { Context } from './context.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Registro } from '../entities/registro.ts';
import { AppError } from '../errors.ts';
import { readOne, type Listing } from '../listing/read.ts';
import { readPage } from '../listing/read-page.ts';
import { transactionReader } from '../database/reader.ts';
import { selectionOf, type Selection } from '../listing/selection.ts';
import type { Page } from '../listing/page.ts';
import type { RecordList, Scope } from '../listing/list.ts';
import { messages } from '../messages.ts';
import type { Incoming } from '../storage/incoming.ts';
import { onceOnly, type OnceOnly } from './idempotency.ts';

/** What a request brings to its operation besides arguments, as the root value of GraphQL. */
export interface Brought {
  /** The record to change must have one of these versions; undefined allows any. */
  seen?: ReadonlySet<number> | undefined;
  /** The file of the body, which was stored separately while the body was read. */
  received?: Incoming | undefined;
}

/** The call of one query or mutation: its caller and the selected fields. */
export class Call {
  constructor(
    readonly context: Context,
    private readonly info: GraphQLResolveInfo,
    readonly brought: Brought = {},
  ) {}

  /** The mutation's run under its `Idempotency-Key`, if it has one. */
  get once(): OnceOnly | undefined {
    return onceOnly(this.access, this.context, this.info);
  }

  /** The permission that the query or mutation declares. */
  get access(): Access {
    return accessOf(this.info.parentType.getFields()[this.info.fieldName]!)!;
  }

  /** The fields selected in the answer. */
  get selection(): Selection {
    return selectionOf(this.info);
  }

  /** The schema in use: GraphQL's, or the REST view. */
  get schema(): GraphQLSchema {
    return this.info.schema;
  }

  /** The page of a list that the client asked for. */
  page<T extends object>(list: RecordList<T>): Promise<Page<T>> {
    return readPage(this.listing, list, this.selection);
  }

  /** @throws PRECONDITION_FAILED if the caller sent versions and the locked record has none of them */
  requireSeen({ versao }: Registro): void {
    const { seen } = this.brought;
    if (seen && !seen.has(versao))
      throw new AppError('PRECONDITION_FAILED', { detail: messages.changedMeanwhile });
  }

  /** The record with these values (`{ id: 1 }`); null if it does not exist. */
  one<T extends object>(entity: new () => T, key: Scope): Promise<T | null> {
    return readOne<T>(this.listing, entity, key, this.selection);
  }

  /** The same inside a transaction, including its own writes. */
  written<T extends object>(em: EntityManager, entity: new () => T, key: Scope): Promise<T | null> {
    return readOne<T>(this.inside(em), entity, key, this.selection);
  }

  /** The page of a list, including the transaction's own writes. */
  writtenPage<T extends object>(em: EntityManager, list: RecordList<T>): Promise<Page<T>> {
    return readPage(this.inside(em), list, this.selection);
  }

  /** The listing with the request's budget. */
  private get listing(): Listing {
    const { services, budget } = this.context;
    return { ...services.listing, budget };
  }

  private inside(em: EntityManager): Listing {
    return { ...this.listing, reader: transactionReader(em), totals: undefined };
  }
}

/** Injects the `Call` into a parameter of a resolver method. */
export const TheCall = () =>
  createParameterDecorator<Context>(({ root, context, info }) => new Call(context, info, root as Brought));

/** The same for a mutation that changes one record and takes its version; see `requireSeen`. */
export const TheVersionedCall = () =>
  createParameterDecorator<Context>(
    ({ root, args, context, info }) => {
      const { versao } = args as { versao?: number | null };
      const seen = versao == null ? {} : { seen: new Set([versao]) };
      return new Call(context, info, (root as Brought | undefined) ?? seen);
    },
    {
      arg: {
        name: 'versao',
        typeFunc: () => Int,
        options: {
          nullable: true,
          description:
            'Version that the caller has seen: the change is refused when the record has another one by now',
        },
      },
    },
  );
