import { Args, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Own, Requires } from '../../access/access.ts';
import { Noticia } from '../../entities/institucional/noticia.ts';
import { invalid, invalidField } from '../../errors.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { fieldMessages } from '../../messages.ts';
import { refreshNow } from '../../news/refresh-now.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, resource, update } from '../resource.ts';

/** Most news items without pages (contract 8). */
const MOST_ITEMS = 50;

@List(() => Noticia, { paging: 'always', usually: ['-fixada', '-publicadaEm'], always: { retirada: false } })
class NoticiasArgs extends ListArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many news items, from 1 to ${MOST_ITEMS}, as a list without further pages. \`summary\` and \`groups\` are of all news that match`,
  })
  items?: number | null;
}

const NoticiaPage = Page(Noticia);

@Resolver()
export class NoticiaResolver {
  @Own()
  @Query(() => NoticiaPage, { description: 'The latest news: pinned ones first, then the newest' })
  async noticias(
    @Args(() => NoticiasArgs) args: NoticiasArgs,
    @TheCall() call: Call,
  ): Promise<Page<Noticia> | RecordList> {
    const news = recordList<Noticia>(args);
    if (args.items == null) return news;
    const limit = checked(args.items);
    refusePaging(args, call);
    const page = await call.page(news.with({ window: { limit, offset: 0 } }));
    return Object.assign(page, { total: Math.min(page.total, limit), totalPages: 1, nextCursor: null });
  }
}

/**
 * A list without further pages has no other part. An argument that is not given has its default.
 * @throws BAD_REQUEST for one that asks for a part
 */
function refusePaging({ page, itemsPerPage }: NoticiasArgs, { given: { after } }: Call): void {
  const asked = { page: (page ?? 1) !== 1, itemsPerPage: (itemsPerPage ?? 10) !== 10, after: after != null };
  const errors = Object.entries(asked)
    .filter(([, isAsked]) => isAsked)
    .map(([field]) => ({ field, message: fieldMessages.notWith('items') }));
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
}

/** @throws BAD_REQUEST for fewer than one or too many */
function checked(items: number): number {
  if (items < 1) throw invalidField('BAD_REQUEST', 'items', fieldMessages.min(1));
  if (items > MOST_ITEMS) throw invalidField('BAD_REQUEST', 'items', fieldMessages.max(MOST_ITEMS));
  return items;
}

@List(() => Noticia, { paging: 'optional', usually: ['-publicadaEm'], always: { retirada: true } })
export class NoticiasRetiradasArgs extends ListArgs {
  @Filter(() => String, 'titulo') titulo?: string;
}

@InputType({ description: 'What people decide of a news item. The feed decides the rest.' })
export class NoticiaInput {
  @FieldOf(Noticia, { nullable: true }) fixada?: boolean | null;
  @FieldOf(Noticia, { nullable: true }) retirada?: boolean | null;
}

const CONTROLLER = 'institucional/noticias';

export const EdicaoNoticiasResolver = resource(Noticia, CONTROLLER, {
  noticiasRetiradas: list(NoticiasRetiradasArgs, 'News that were withdrawn, newest first'),
  atualizarNoticia: update(
    NoticiaInput,
    'Pins a news item above the others, withdraws it, or takes either back. The feed does not undo it',
  ),
});

@ObjectType({ description: 'What a reading of the news feed brought.', simpleResolvers: true })
export class NoticiasBuscadas {
  @Field(() => Boolean, { description: 'Whether the feed has changed since it was read before' })
  mudou!: boolean;

  @Field(() => Int, { description: 'How many news were added or changed' })
  alteradas!: number;
}

@Resolver()
export class BuscaNoticiasResolver {
  @Requires(CONTROLLER, 2)
  @Mutation(() => NoticiasBuscadas, {
    description: 'Reads the news feed now, and does not wait for its next turn',
  })
  buscarNoticias(@TheCall() call: Call): Promise<NoticiasBuscadas> {
    return refreshNow(call);
  }
}
