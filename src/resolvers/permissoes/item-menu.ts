import { IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { Controller } from '../../entities/permissoes/controller.ts';
import { ItemMenu } from '../../entities/permissoes/item-menu.ts';
import { Menu } from '../../entities/permissoes/menu.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { SituacaoField, type Situacao } from './situacao.ts';

@List(() => ItemMenu, { paging: 'never' })
export class ItensMenuArgs extends ListArgs {}

@InputType({ description: 'A line of a menu.' })
export class ItemMenuInput extends AuthorsInput {
  @Field(() => String, { description: 'Name' })
  @IsNotEmpty()
  @MaxLength(200)
  nome!: string;

  @SituacaoField() situacao?: Situacao | null;

  @Field(() => Int, { description: 'Menu in which it stands' })
  @References(() => Menu)
  idMenu!: number;

  @Field(() => Int, { nullable: true, description: 'Controller that it opens' })
  @References(() => Controller)
  idController?: number | null;
}

export const ItemMenuResolver = resource(ItemMenu, 'permissoes/itens-menus', {
  itensMenu: list(ItensMenuArgs, 'Lines of menus'),
  itemMenu: one('One line of a menu; null when there is none with this id'),
  criarItemMenu: create(ItemMenuInput, 'Adds a line to a menu'),
  atualizarItemMenu: update(ItemMenuInput, 'Changes a line of a menu'),
  excluirItemMenu: remove('Deletes a line of a menu and answers it as it stood'),
});
