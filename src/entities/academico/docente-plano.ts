import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link } from '../column.ts';
import { Via } from '../computed.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { PlanoEnsino } from './plano-ensino.ts';

@Entity()
@Unique({ properties: ['planoEnsino', 'pessoa'] })
@ObjectType({ description: 'That somebody teaches by a teaching plan.', simpleResolvers: true })
export class DocentePlano extends Registro {
  @Link(() => PlanoEnsino, { description: 'The plan', owner: true, keyOnly: true })
  planoEnsino!: PlanoEnsino;

  @Link(() => Pessoa, { description: 'Who teaches', keyOnly: true })
  pessoa!: Pessoa;

  @Via(() => String, 'pessoa.nome', 'Name of who teaches')
  nome?: string;
}
