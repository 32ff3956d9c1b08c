import { Field, InputType } from 'type-graphql';
import { MATERIAL, warning } from '../../domain/control-warnings.ts';
import { setHazards } from '../../domain/hazards.ts';
import { changeMaterial, MATERIALS_CONTROLLER } from '../../domain/material-changes.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../../entities/almoxarifado/risco-material.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { IsLink } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => Material, { paging: 'optional' })
export class MateriaisArgs extends ListArgs {
  @Filter(() => String, 'titulo') titulo?: string;
  @Filter(() => String, 'catmat', { match: 'exact' }) catmat?: string;
  @Filter(() => String, 'numeroCas', { match: 'exact' }) cas?: string;
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(() => String, 'tipoControle.descricao') tipoControle?: string;

  @OrderBy('titulo') orderByTitulo?: Ordem;
  @OrderBy('catmat') orderByCatmat?: Ordem;
  @OrderBy('unidadeMedida.descricao') orderByUnidadeMedida?: Ordem;
  @OrderBy('numeroCas') orderByCas?: Ordem;
  @OrderBy('estadoFisico') orderByEstadoFisico?: Ordem;
  @OrderBy('tipoControle.descricao') orderByTipoDeControle?: Ordem;
}

@InputType({ description: 'A hazard of a material, where it is written with the material.' })
export class RiscoDoMaterialInput {
  @FieldOf(RiscoMaterial, { nullable: true, description: 'Hazard class; an item without one is skipped' })
  idClassificacaoRisco?: number | null;
}

@InputType({ description: 'A material of the catalogue.' })
export class MaterialInput extends AuthorsInput {
  @FieldOf(Material) titulo!: string;
  @FieldOf(Material) catmat?: string | null;
  @FieldOf(Material, { mayBeEmpty: true }) descricao!: string;
  @FieldOf(Material) idUnidadeMedida!: number;
  @FieldOf(Material) numeroCas?: string | null;
  @FieldOf(Material) estadoFisico!: Material['estadoFisico'];
  @FieldOf(Material) idTipoControle?: number | null;
  @FieldOf(Material) codigoPf?: string | null;
  @FieldOf(Material) listaPf?: Material['listaPf'];
  @FieldOf(Material) ncm?: string | null;
  @FieldOf(Material) concentracao?: number | null;
  @FieldOf(Material) densidade?: number | null;
  @FieldOf(Material) rotuloExercito?: string | null;
  @FieldOf(Material) fispq?: string | null;
  @FieldOf(Material) @IsLink() linkFispq?: string | null;

  @Field(() => [RiscoDoMaterialInput], {
    nullable: true,
    description: 'Its hazards, which replace those it had',
  })
  riscos?: RiscoDoMaterialInput[] | null;
}

export const MaterialResolver = resource(Material, MATERIALS_CONTROLLER, {
  materiais: list(MateriaisArgs, 'Materials of the catalogue'),
  material: one('One material; null when there is none with this id'),
  criarMaterial: create(MaterialInput, 'Adds a material', warning(MATERIAL, setHazards)),
  atualizarMaterial: update(MaterialInput, 'Changes a material', warning(MATERIAL, changeMaterial)),
  excluirMaterial: remove('Deletes a material and answers it as it stood'),
});
