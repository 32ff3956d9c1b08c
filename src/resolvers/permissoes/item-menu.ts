import { InputType } from 'type-graphql';
import type { Situacao } from '../../entities/column.ts';
import { ItemMenu } from '../../entities/permissoes/item-menu.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => ItemMenu, { paging: 'optional' })
export class ItensMenuArgs extends ListArgs {}

@InputType({ description: 'A line of a menu.' })
export class ItemMenuInput extends AuthorsInput {
  @FieldOf(ItemMenu) nome!: string;
  @FieldOf(ItemMenu, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(ItemMenu) idMenu!: number;
  @FieldOf(ItemMenu) idController?: number | null;
}

export const ItemMenuResolver = resource(ItemMenu, 'permissoes/itens-menus', {
  itensMenu: list(ItensMenuArgs, 'Lines of menus'),
  itemMenu: one('One line of a menu; null when there is none with this id'),
  criarItemMenu: create(ItemMenuInput, 'Adds a line to a menu'),
  atualizarItemMenu: update(ItemMenuInput, 'Changes a line of a menu'),
  excluirItemMenu: remove('Deletes a line of a menu and answers it as it stood'),
});
