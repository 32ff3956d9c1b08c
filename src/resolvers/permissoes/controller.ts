import { InputType } from 'type-graphql';
import { administered } from '../../domain/administration.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { Controller } from '../../entities/permissoes/controller.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Controller, { paging: 'always' })
export class ControllersArgs extends ListArgs {
  @Filter(() => String, 'nome') nome?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
  @Filter(() => String, 'sistema.sigla') siglaSistema?: string;
}

@InputType({ description: 'A family of operations on which permissions are given.' })
export class ControllerInput {
  @FieldOf(Controller) nome!: string;
  @FieldOf(Controller, { nullable: true }) situacao?: Situacao | null;
  @FieldOf(Controller) idSistema!: number;
}

export const ControllerResolver = resource(Controller, 'permissoes/controllers', {
  controllers: list(ControllersArgs, 'Families of operations on which permissions are given'),
  controller: one('One controller; null when there is none with this id'),
  criarController: create(ControllerInput, 'Adds a controller', administered()),
  atualizarController: update(ControllerInput, 'Changes a controller', administered()),
  excluirController: remove('Deletes a controller and answers it as it stood', administered()),
});
