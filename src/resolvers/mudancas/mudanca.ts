import {
  Args,
  ArgsType,
  Field,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { Own } from '../../access/access.ts';
import type { Change } from '../../changes/feed.ts';
import { namedTables, type ChangePage, type Following } from '../../changes/follow.ts';
import { cursorOf, positionOf } from '../../changes/position.ts';
import { AlteracaoCampo } from '../../entities/permissoes/registro-auditoria.ts';
import { CursorScalar, DateTimeScalar } from '../../entities/scalars.ts';
import { invalid } from '../../errors.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import type { Context } from '../../request/context.ts';
import { sizeErrors } from '../../request/validation.ts';

/** Most changes on a page, and the default page size. */
const MOST = 1_000;
const USUAL = 100;

@ArgsType()
class AssinaturaMudancasArgs {
  @Field(() => CursorScalar, {
    nullable: true,
    description: '`cursor` of a change or a page: only what came after it',
  })
  after?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only changes of these tables; all that the caller may list when absent',
  })
  tabelas?: string[] | null;
}

@ArgsType()
class MudancasArgs extends AssinaturaMudancasArgs {
  @Field(() => Int, { nullable: true, defaultValue: USUAL, description: 'Most changes on a page' })
  first?: number | null;
}

/** The arguments in the form of the feed. @throws BAD_REQUEST */
function followingOf({ after, tabelas, first }: MudancasArgs): Following {
  const errors = sizeErrors('first', first, MOST);
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  return {
    after: after == null ? null : positionOf(after),
    tables: tabelas == null ? undefined : namedTables(tabelas),
    first: first ?? USUAL,
  };
}

@ObjectType({ description: 'The record that was changed.', simpleResolvers: true })
export class RegistroMudado {
  @Field(() => String, { description: 'Table of the record' })
  tabela!: string;

  @Field(() => Int, { description: 'Identifier of the record' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Version that the record got by this change; when it was deleted, the one that it had',
  })
  versao!: number | null;
}

@ObjectType({ description: 'A change of one record.', simpleResolvers: true })
export class Mudanca {
  @Field(() => CursorScalar, { description: 'Place of the change: `after` reads on from here' })
  cursor!: string;

  @Field(() => ID, { description: 'Identifier of the change: its row in the audit trail' })
  id!: string;

  @Field(() => DateTimeScalar, { description: 'When it was written, which is before it was committed' })
  momento!: Date;

  @Field(() => String, {
    description: 'Kind: the table and what was done, such as `lote.criado` or `movimentacao.aprovada`',
  })
  tipo!: string;

  @Field(() => RegistroMudado, { description: 'The record' })
  registro!: RegistroMudado;

  @Field(() => Int, {
    nullable: true,
    description: 'Person who changed it; null for what the service does by itself',
  })
  idPessoa!: number | null;

  @Field(() => Int, { nullable: true, description: 'System through which they were logged in' })
  idSistema!: number | null;

  @Field(() => [AlteracaoCampo], {
    description: 'What changed, as far as the list of these records shows it',
  })
  alteracoes!: AlteracaoCampo[];
}

@ObjectType({ description: 'A part of the feed of changes, oldest first.', simpleResolvers: true })
export class PaginaMudancas {
  @Field(() => [Mudanca], { description: 'Changes; it may be empty though there are more' })
  data!: Mudanca[];

  @Field(() => CursorScalar, { description: 'Where to go on, also when the page is empty' })
  cursor!: string;

  @Field(() => Boolean, { description: 'Whether there may be more by now' })
  mais!: boolean;

  @Field(() => CursorScalar, {
    description: 'End of the whole feed. Ask for it before you read lists, and follow the feed from there',
  })
  ultimo!: string;
}

const shownPage = ({ changes, end, more, latest }: ChangePage): PaginaMudancas => ({
  data: changes.map(shownChange),
  cursor: cursorOf(end),
  mais: more,
  ultimo: cursorOf(latest),
});

const shownChange = (change: Change): Mudanca => ({
  cursor: cursorOf(change.position),
  id: String(change.position.entry),
  momento: change.moment,
  tipo: change.kind,
  registro: { tabela: change.table, id: change.id, versao: change.version },
  idPessoa: change.idPessoa,
  idSistema: change.idSistema,
  alteracoes: change.fields,
});

@Resolver()
export class MudancaResolver {
  @Own()
  @Query(() => PaginaMudancas, {
    description:
      'Changes of records that the caller may list, in the order in which they were committed, without gaps and without repeats for whoever goes on from a cursor',
  })
  async mudancas(
    @Args(() => MudancasArgs) args: MudancasArgs,
    @TheCall() call: Call,
  ): Promise<PaginaMudancas> {
    const following = followingOf(args);
    const { changes } = call.context.services;
    return shownPage(await changes.page(await call.context.session(), following, call.listing));
  }

  @Own()
  @Subscription(() => PaginaMudancas, {
    name: 'mudancas',
    subscribe: ({ args, context }) => follow(args as AssinaturaMudancasArgs, context as Context),
    description:
      'Changes of records that the caller may list, as they happen: a page whenever there is something new. The first page comes at once. Without `after` it begins now',
  })
  assinarMudancas(
    @Root() page: ChangePage,
    @Args(() => AssinaturaMudancasArgs) _args: AssinaturaMudancasArgs,
  ): PaginaMudancas {
    return shownPage(page);
  }
}

/** The pages of a subscription. The number of subscriptions per person is limited. @throws RATE_LIMITED */
async function follow(args: AssinaturaMudancasArgs, context: Context): Promise<AsyncGenerator<ChangePage>> {
  const following = followingOf(args);
  const session = await context.session();
  const { changes, shares } = context.services;
  const release = shares.subscriptions.take(session.idPessoa);
  try {
    return changes.follow(session, following, release);
  } catch (error) {
    release();
    throw error;
  }
}
