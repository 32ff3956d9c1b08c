import { Arg, Args, Int, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { TheCall, type Call } from '../call.ts';

const CONTROLLER = 'almoxarifadoquimicos/unidades-medida';
const UnidadesMedidaPage = Page(UnidadeMedida);

@List(() => UnidadeMedida, { paging: 'never' })
export class UnidadesMedidaArgs extends ListArgs {}

@Resolver()
export class UnidadeMedidaResolver {
  @Query(() => UnidadesMedidaPage, { description: 'Units in which materials are counted' })
  @Requires(CONTROLLER, 1)
  unidadesMedida(
    @Args(() => UnidadesMedidaArgs) args: UnidadesMedidaArgs,
    @TheCall() call: Call,
  ): Promise<Page<UnidadeMedida>> {
    return call.page(args);
  }

  @Query(() => UnidadeMedida, {
    nullable: true,
    description: 'One unit; null when there is none with this id',
  })
  @Requires(CONTROLLER, 1)
  unidadeMedida(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<UnidadeMedida | null> {
    return call.one(UnidadeMedida, id);
  }
}
