import { InputType, Int } from 'type-graphql';
import { changeManager, LABORATORIES_CONTROLLER, nameManager } from '../../domain/managers.ts';
import { ResponsavelLaboratorio } from '../../entities/almoxarifado/responsavel-laboratorio.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, resource, update } from '../resource.ts';

@List(() => ResponsavelLaboratorio, { paging: 'optional' })
export class ResponsaveisLaboratorioArgs extends ListArgs {
  @Filter(() => String, 'pessoa.nome') nomeResponsavel?: string;
  @Filter(() => String, 'local.nome') nomeLaboratorio?: string;
  @Filter(() => Int, 'idLocal') idLaboratorio?: number;
}

@InputType({ description: 'A laboratory of which somebody becomes manager.' })
export class ResponsavelLaboratorioInput {
  @FieldOf(ResponsavelLaboratorio) idLocal!: number;
  @FieldOf(ResponsavelLaboratorio) dataFim?: string | null;

  @FieldOf(ResponsavelLaboratorio, {
    nullable: true,
    description: 'Who manages it: the caller, or another with level 3',
  })
  idPessoa?: number | null;
}

@InputType({ description: 'Until when somebody manages a laboratory.' })
export class ResponsavelLaboratorioUpdateInput {
  @FieldOf(ResponsavelLaboratorio) dataFim?: string | null;
}

export const ResponsavelLaboratorioResolver = resource(ResponsavelLaboratorio, LABORATORIES_CONTROLLER, {
  responsaveisLaboratorio: list(
    ResponsaveisLaboratorioArgs,
    'Who manages which laboratory, and for how long',
  ),
  responsavelLaboratorio: one('One manager of a laboratory; null when there is none with this id'),
  criarResponsavelLaboratorio: create(
    ResponsavelLaboratorioInput,
    'Makes the caller, or with level 3 another, manager of a laboratory from today on',
    nameManager,
  ),
  atualizarResponsavelLaboratorio: update(
    ResponsavelLaboratorioUpdateInput,
    'Changes the term of the caller, or with level 3 that of another',
    changeManager,
  ),
});
