import { IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { Menu } from '../../entities/permissoes/menu.ts';
import { Sistema } from '../../entities/permissoes/sistema.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';
import { SituacaoField, type Situacao } from './situacao.ts';

@List(() => Menu, { paging: 'never' })
export class MenusArgs extends ListArgs {}

@InputType({ description: 'A menu that a system shows at its side.' })
export class MenuInput extends AuthorsInput {
  @Field(() => String, { description: 'Name' })
  @IsNotEmpty()
  @MaxLength(200)
  nome!: string;

  @Field(() => String, { nullable: true, description: 'What it leads to' })
  @MaxLength(1000)
  descricao?: string | null;

  @SituacaoField() situacao?: Situacao | null;

  @Field(() => Int, { description: 'System that shows it' })
  @References(() => Sistema)
  idSistema!: number;
}

export const MenuResolver = resource(Menu, 'permissoes/menus', {
  menus: list(MenusArgs, 'Menus that systems show at their side'),
  menu: one('One menu; null when there is none with this id'),
  criarMenu: create(MenuInput, 'Adds a menu'),
  atualizarMenu: update(MenuInput, 'Changes a menu'),
  excluirMenu: remove('Deletes a menu and answers it as it stood'),
});
