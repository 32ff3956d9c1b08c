import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Via } from '../computed.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { EtapaTramitacao } from './etapa-tramitacao.ts';
import { PlanoEnsino } from './plano-ensino.ts';

@Entity()
@ObjectType({ description: 'That a teaching plan came to a step of its way.', simpleResolvers: true })
export class TramitacaoPlano extends Registro {
  @Link(() => PlanoEnsino, { description: 'The plan', owner: true, keyOnly: true })
  planoEnsino!: PlanoEnsino;

  @Link(() => EtapaTramitacao, { description: 'The step' })
  etapa!: EtapaTramitacao;

  @Column('timestamp', { description: 'When it came there' })
  data!: Date;

  @Link(() => Pessoa, { description: 'Who sent it there', keyOnly: true })
  pessoa!: Pessoa;

  @Via(() => String, 'pessoa.nome', 'Name of who sent it there')
  nome?: string;

  @Column('text', { description: 'Remark', nullable: true })
  observacao!: string | null;
}
