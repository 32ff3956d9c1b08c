import { IsIn, IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { setHazards } from '../../domain/hazards.ts';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Material, physicalStates } from '../../entities/almoxarifado/material.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { IsLink, References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
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
  @Field(() => Int, { nullable: true, description: 'Hazard class; an item without one is passed over' })
  @References(() => ClassificacaoRisco)
  idClassificacaoRisco?: number | null;
}

@InputType({ description: 'A material of the catalogue.' })
export class MaterialInput extends AuthorsInput {
  @Field(() => String, { description: 'Name as catalogued' })
  @IsNotEmpty()
  @MaxLength(300)
  titulo!: string;

  @Field(() => String, { nullable: true, description: 'Code in the federal catalogue of materials' })
  @MaxLength(20)
  catmat?: string | null;

  @Field(() => String, { description: 'What it is: purity, presentation, use' })
  @MaxLength(4000)
  descricao!: string;

  @Field(() => Int, { description: 'Unit in which it is counted' })
  @References(() => UnidadeMedida)
  idUnidadeMedida!: number;

  @Field(() => String, { nullable: true, description: 'CAS registry number' })
  @MaxLength(20)
  numeroCas?: string | null;

  @Field(() => String, { description: '`S` solid, `L` liquid, `G` gas, `P` paste or gel' })
  @IsIn(physicalStates)
  estadoFisico!: Material['estadoFisico'];

  @Field(() => Int, { nullable: true, description: 'Legal control under which it stands' })
  @References(() => TipoControle)
  idTipoControle?: number | null;

  @Field(() => String, { nullable: true, description: 'Safety data sheet (FISPQ): its name or text' })
  @MaxLength(4000)
  fispq?: string | null;

  @Field(() => String, { nullable: true, description: 'Where the safety data sheet is found' })
  @MaxLength(2000)
  @IsLink()
  linkFispq?: string | null;

  @Field(() => [RiscoDoMaterialInput], {
    nullable: true,
    description: 'Its hazards, which replace those it had',
  })
  riscos?: RiscoDoMaterialInput[] | null;
}

export const MaterialResolver = resource(Material, 'almoxarifadoquimicos/materiais', {
  materiais: list(MateriaisArgs, 'Materials of the catalogue'),
  material: one('One material; null when there is none with this id'),
  criarMaterial: create(MaterialInput, 'Adds a material', setHazards),
  atualizarMaterial: update(MaterialInput, 'Changes a material', setHazards),
  excluirMaterial: remove('Deletes a material and answers it as it stood'),
});
