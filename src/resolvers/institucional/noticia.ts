import { Arg, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { Noticia } from '../../entities/institucional/noticia.ts';
import { invalid } from '../../errors.ts';
import { List, ListArgs, OrderBy, Ordem } from '../../listing/args.ts';
import { recordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { fieldMessages } from '../../messages.ts';
import { TheCall, type Call } from '../../request/call.ts';

/** News by date of publication. */
@List(() => Noticia, { paging: 'always' })
class NoticiasPublicadas extends ListArgs {
  @OrderBy('publicadaEm') publicadaEm = Ordem.desc;
}

/** Default number of news items, and the maximum (contract 8). */
const USUAL_ITEMS = 5;
const MOST_ITEMS = 50;

const ITEMS = {
  defaultValue: USUAL_ITEMS,
  nullable: true,
  description: `How many news items, from 1 to ${MOST_ITEMS}`,
};

const NoticiaPage = Page(Noticia);

@Resolver()
export class NoticiaResolver {
  @Own()
  @Query(() => NoticiaPage, { description: 'The latest news, newest first' })
  async noticias(
    @Arg('items', () => Int, ITEMS) items: number | null,
    @TheCall() call: Call,
  ): Promise<Page<Noticia>> {
    const itemsPerPage = checked(items ?? USUAL_ITEMS);
    const args = Object.assign(new NoticiasPublicadas(), { itemsPerPage });
    const page = await call.page(recordList<Noticia>(args));
    return { ...page, total: Math.min(page.total, itemsPerPage), totalPages: 1 };
  }
}

/** @throws BAD_REQUEST for fewer than one or too many */
function checked(items: number): number {
  if (items < 1) throw invalid('BAD_REQUEST', [{ field: 'items', message: fieldMessages.min(1) }]);
  if (items > MOST_ITEMS)
    throw invalid('BAD_REQUEST', [{ field: 'items', message: fieldMessages.max(MOST_ITEMS) }]);
  return items;
}
