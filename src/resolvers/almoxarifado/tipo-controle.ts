import { Arg, Args, Int, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { TheCall, type Call } from '../call.ts';

const CONTROLLER = 'almoxarifadoquimicos/tipos-controle';
const TiposControlePage = Page(TipoControle);

@List(() => TipoControle, { paging: 'never' })
export class TiposControleArgs extends ListArgs {}

@Resolver()
export class TipoControleResolver {
  @Query(() => TiposControlePage, { description: 'Legal controls under which materials stand' })
  @Requires(CONTROLLER, 1)
  tiposControle(
    @Args(() => TiposControleArgs) args: TiposControleArgs,
    @TheCall() call: Call,
  ): Promise<Page<TipoControle>> {
    return call.page(args);
  }

  @Query(() => TipoControle, {
    nullable: true,
    description: 'One legal control; null when there is none with this id',
  })
  @Requires(CONTROLLER, 1)
  tipoControle(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<TipoControle | null> {
    return call.one(TipoControle, id);
  }
}
