import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { ClassificacaoRisco } from './classificacao-risco.ts';
import { Material } from './material.ts';

@Entity()
@Unique({ properties: ['material', 'classificacaoRisco'] })
@ObjectType({ description: 'That a material has a hazard.', simpleResolvers: true })
export class RiscoMaterial extends Registro {
  @Link(() => ClassificacaoRisco, { description: 'Hazard of the material' })
  classificacaoRisco!: ClassificacaoRisco;

  @Link(() => Material, { description: 'Material that has the hazard', owner: true })
  material!: Material;
}
