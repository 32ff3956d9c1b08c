import { Collection, type Opt } from '@mikro-orm/core';
import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link, LinkBy } from '../column.ts';
import { Many } from '../many.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { AlteracaoSolicitacao } from './alteracao-solicitacao.ts';
import { Movimentacao } from './movimentacao.ts';

/** States of an approval request (contract 4). */
export const requestStates = choices('SituacaoSolicitacao', 'State of an approval request', {
  PENDENTE: ['P', 'Pending'],
  APROVADA: ['A', 'Approved'],
  REJEITADA: ['R', 'Rejected'],
});

@Entity()
@Index({ properties: ['solicitadoPor'] })
@Index({ properties: ['decididoPor'] })
@ObjectType({
  description: 'A movement of a controlled material that waits, or waited, for approval.',
  simpleResolvers: true,
})
export class SolicitacaoAprovacao extends Registro {
  @Link(() => Movimentacao, { description: 'Movement to be decided', unique: true, owner: true })
  movimentacao!: Movimentacao;

  @Column('text', {
    description: requestStates.description,
    max: 1,
    oneOf: requestStates,
    default: 'P',
    sort: true,
  })
  situacao!: Opt<ValueOf<typeof requestStates>>;

  @Column('integer', { description: 'Person who asked' })
  solicitadoPor!: number;

  @LinkBy('solicitadoPor', () => Pessoa, 'Who asked')
  solicitante?: Pessoa | null;

  @Column('timestamp', { description: 'When it was asked', stamp: 'created' })
  solicitadoEm!: Opt<Date>;

  @Column('integer', { description: 'Person who decided', nullable: true })
  decididoPor!: number | null;

  @LinkBy('decididoPor', () => Pessoa, 'Who decided')
  decisor?: Pessoa | null;

  @Column('timestamp', { description: 'When it was decided', nullable: true })
  decididoEm!: Date | null;

  @Column('text', { description: 'Why it was rejected', max: 500, nullable: true })
  motivo!: string | null;

  @Many(() => AlteracaoSolicitacao, 'solicitacao', 'What was changed of the movement while it waited')
  alteracoes = new Collection<AlteracaoSolicitacao>(this);
}
