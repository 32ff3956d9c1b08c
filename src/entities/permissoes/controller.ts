import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Sistema } from './sistema.ts';

@Entity()
@Unique({ properties: ['sistema', 'nome'] })
@ObjectType({
  description: 'A family of operations on which permissions are given, named by its path.',
  simpleResolvers: true,
})
export class Controller extends Registro {
  @Column('text', {
    description: 'Path without the leading slash: `almoxarifadoquimicos/materiais`',
    max: 200,
    sort: true,
    search: true,
    identifies: true,
  })
  nome!: string;

  @Link(() => Sistema, { description: 'System that offers it' })
  sistema!: Sistema;

  @SituacaoColumn()
  situacao!: Situacao;
}
