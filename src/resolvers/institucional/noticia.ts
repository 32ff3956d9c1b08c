import { Args, Field, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { Noticia } from '../../entities/institucional/noticia.ts';
import { invalid } from '../../errors.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { fieldMessages } from '../../messages.ts';
import { TheCall, type Call } from '../../request/call.ts';

/** Most news items without pages (contract 8). */
const MOST_ITEMS = 50;

@List(() => Noticia, { paging: 'always', usually: ['-publicadaEm'] })
class NoticiasArgs extends ListArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many news items, from 1 to ${MOST_ITEMS}, as a list without further pages`,
  })
  items?: number | null;
}

const NoticiaPage = Page(Noticia);

@Resolver()
export class NoticiaResolver {
  @Own()
  @Query(() => NoticiaPage, { description: 'The latest news, newest first' })
  async noticias(
    @Args(() => NoticiasArgs) args: NoticiasArgs,
    @TheCall() call: Call,
  ): Promise<Page<Noticia> | RecordList> {
    const news = recordList<Noticia>(args);
    if (args.items == null) return news;
    const limit = checked(args.items);
    const page = await call.page(news.with({ window: { limit, offset: 0 } }));
    return Object.assign(page, { total: Math.min(page.total, limit), totalPages: 1 });
  }
}

/** @throws BAD_REQUEST for fewer than one or too many */
function checked(items: number): number {
  if (items < 1) throw invalid('BAD_REQUEST', [{ field: 'items', message: fieldMessages.min(1) }]);
  if (items > MOST_ITEMS)
    throw invalid('BAD_REQUEST', [{ field: 'items', message: fieldMessages.max(MOST_ITEMS) }]);
  return items;
}
