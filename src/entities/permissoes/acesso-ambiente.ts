import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Pessoa } from './pessoa.ts';

@Entity()
@ObjectType({
  description: 'That a person may enter at all. Without it neither login nor token works.',
  simpleResolvers: true,
})
export class AcessoAmbiente extends Registro {
  @Link(() => Pessoa, { description: 'Person', unique: true })
  pessoa!: Pessoa;

  @SituacaoColumn()
  situacao!: Situacao;
}
