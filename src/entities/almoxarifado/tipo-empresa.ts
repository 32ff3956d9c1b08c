import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, flags, type Flag } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A kind of company, such as manufacturer or carrier.', simpleResolvers: true })
export class TipoEmpresa extends Registro {
  @Column('text', { description: 'Name of the kind', max: 100, nullable: true, sort: true })
  descricao!: string | null;

  @Column('text', {
    description: 'Whether companies of this kind must have a CNPJ',
    max: 1,
    oneOf: flags,
    default: 'N',
  })
  obrigaCnpj!: Flag;
}
