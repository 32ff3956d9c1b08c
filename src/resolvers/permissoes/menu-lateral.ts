import { Args, Extensions, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { sideMenu, type SideMenu } from '../../domain/side-menu.ts';
import { ListArgs, Paged } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { pageOf } from '../../listing/read-page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { SistemaDoMenu } from '../login/login.ts';

const CONTROLLER = 'permissoes/menu_lateral';

/**
 * Menus and lines have no `id` in GraphQL, as `ReckonedRow`: client caches would mix up those of different profiles. REST
 * keeps it.
 */
const NO_IDENTITY = 'What it shows depends on the profiles, so this is not an identity';

@ObjectType({ description: 'Controller that a line of the side menu opens.', simpleResolvers: true })
export class ControllerDoItem {
  @Field(() => Int, { description: 'Identifier' })
  id!: number;

  @Field(() => String, { description: 'Path without the leading slash' })
  nome!: string;
}

@ObjectType({ description: 'A line of the side menu.', simpleResolvers: true })
export class ItemMenuLateral {
  @Field(() => Int, { description: `Which line it is. ${NO_IDENTITY}` })
  @Extensions({ legacyName: 'id', legacyDescription: 'Identifier of the line' })
  idItemMenu!: number;

  @Field(() => String, { description: 'Name' })
  nome!: string;

  @Field(() => Int, { nullable: true, description: 'Its place among the others' })
  ordem!: number | null;

  @Field(() => ControllerDoItem, { nullable: true, description: 'Controller that it opens' })
  controller!: ControllerDoItem | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Level that the profiles give on it: 1 read, 2 write, 3 manage',
  })
  nivel!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Open alerts at the line of the alerts, and movements that wait at that of the approvals, if the caller may read them; null at all other lines',
  })
  alertas!: number | null;
}

@ObjectType({ description: 'A menu, ready to be drawn.', simpleResolvers: true })
export class MenuLateral implements SideMenu {
  @Field(() => Int, { description: `Which menu it is. ${NO_IDENTITY}` })
  @Extensions({ legacyName: 'id', legacyDescription: 'Identifier of the menu' })
  idMenu!: number;

  @Field(() => String, { description: 'Name' })
  nome!: string;

  @Field(() => String, { nullable: true, description: 'What it leads to' })
  descricao!: string | null;

  @Field(() => SistemaDoMenu, { description: 'System that shows it' })
  sistema!: SistemaDoMenu;

  @Field(() => [ItemMenuLateral], { description: 'Its lines, in order' })
  itens!: ItemMenuLateral[];
}

@Paged()
class MenuLateralArgs extends ListArgs {
  @Field(() => Int, { nullable: true, description: 'Of this profile alone' })
  idPerfil?: number | null;
}

const MenuLateralPage = Page(MenuLateral);

@Resolver()
export class MenuLateralResolver {
  @Own({ readers: CONTROLLER })
  @Query(() => MenuLateralPage, {
    description: 'The side menu: menus in order, each with its lines, of all profiles of the caller',
  })
  async menuLateral(
    @Args(() => MenuLateralArgs) { idPerfil = null, ...args }: MenuLateralArgs,
    @TheCall() { context }: Call,
  ): Promise<Page<MenuLateral>> {
    return pageOf(await sideMenu(context, idPerfil, CONTROLLER), args);
  }
}
