import { InputType } from 'type-graphql';
import type { Situacao } from '../../entities/column.ts';
import { Menu } from '../../entities/permissoes/menu.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Menu, { paging: 'optional' })
export class MenusArgs extends ListArgs {}

@InputType({ description: 'A menu that a system shows at its side.' })
export class MenuInput extends AuthorsInput {
  @FieldOf(Menu) nome!: string;
  @FieldOf(Menu) descricao?: string | null;
  @FieldOf(Menu, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(Menu) idSistema!: number;
}

export const MenuResolver = resource(Menu, 'permissoes/menus', {
  menus: list(MenusArgs, 'Menus that systems show at their side'),
  menu: one('One menu; null when there is none with this id'),
  criarMenu: create(MenuInput, 'Adds a menu'),
  atualizarMenu: update(MenuInput, 'Changes a menu'),
  excluirMenu: remove('Deletes a menu and answers it as it stood'),
});
