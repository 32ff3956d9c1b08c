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
import type { ListArgs } from '../listing/args.ts';
import type { Page } from '../listing/page.ts';
import type { Scope } from '../listing/plans.ts';
import { messages } from '../messages.ts';

/** The call of one query or mutation: who calls, and which fields of the answer they want. */
export class Call {
  constructor(
    readonly context: Context,
    private readonly info: GraphQLResolveInfo,
    private readonly versao?: number | null,
  ) {}

  /** What the query or mutation declares that its caller needs. */
  get access(): Access {
    return accessOf(this.info.parentType.getFields()[this.info.fieldName]!)!;
  }

  /** The fields selected in the answer. */
  get selection(): Selection {
    return selectionOf(this.info);
  }

  /** The schema of the face that is called. */
  get schema(): GraphQLSchema {
    return this.info.schema;
  }

  /** The page of the list that `args` declares, within a scope that the resolver sets; where the caller downloads the list, it is sent whole instead. */
  async page<T>(args: ListArgs, scope: Scope = {}): Promise<Page<T>> {
    if (!this.context.download) return readPage<T>(this.listing, args, this.selection, scope);
    await this.context.download(args, scope);
    return { data: [], total: 0, page: 1, itemsPerPage: 0, totalPages: 1 };
  }

  /** @throws PRECONDITION_FAILED unless a locked record is still as the caller has seen it, where the caller says so */
  requireSeen({ versao }: Registro): void {
    const seen = this.context.seen ?? (this.versao == null ? undefined : new Set([this.versao]));
    if (seen && !seen.has(versao))
      throw new AppError('PRECONDITION_FAILED', { detail: messages.changedMeanwhile });
  }

  /** The record that these values identify (`{ id: 1 }`); null when there is none. */
  one<T extends object>(entity: new () => T, key: Scope): Promise<T | null> {
    return readOne<T>(this.listing, entity, key, this.selection);
  }

  /** The same inside a transaction, its own writes included. */
  written<T extends object>(em: EntityManager, entity: new () => T, key: Scope): Promise<T | null> {
    return readOne<T>(this.inside(em), entity, key, this.selection);
  }

  /** Every record of the list that `args` declares within a scope, unpaginated, as a transaction has written them. */
  writtenPage<T>(em: EntityManager, args: ListArgs, scope: Scope): Promise<Page<T>> {
    return readPage<T>(this.inside(em), args, this.selection, scope);
  }

  /** What reads on account of the request. */
  private get listing(): Listing {
    const { services, budget } = this.context;
    return { ...services.listing, budget };
  }

  private inside(em: EntityManager): Listing {
    return { ...this.listing, reader: transactionReader(em), kept: undefined };
  }
}

/** Parameter of a resolver method that receives its `Call`. */
export const TheCall = () =>
  createParameterDecorator<Context>(({ context, info }) => new Call(context, info));

/** The same of a mutation that changes one record, of which it takes the version: see `requireSeen`. */
export const TheVersionedCall = () =>
  createParameterDecorator<Context>(
    ({ args, context, info }) => new Call(context, info, (args as { versao?: number | null }).versao),
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
