import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { Estoque } from './estoque.ts';
import { EstoqueMinimo } from './estoque-minimo.ts';
import { SolicitacaoAprovacao } from './solicitacao-aprovacao.ts';

/** Kinds of alerts. */
export const alertKinds = choices('TipoAlerta', 'Kind of an alert', {
  VENCIDO: ['vencido', 'Stock of a batch whose last day has passed'],
  VENCE_EM_30_DIAS: ['vence_em_30_dias', 'Stock of a batch that expires within 30 days'],
  VENCE_EM_90_DIAS: ['vence_em_90_dias', 'Stock of a batch that expires within 31 to 90 days'],
  ABAIXO_DO_MINIMO: ['abaixo_do_minimo', 'Less stock that has not expired than the minimum quantity'],
  APROVACAO_PENDENTE: ['aprovacao_pendente', 'A movement that waits for approval'],
  MAPA_NAO_ENVIADO: [
    'mapa_nao_enviado',
    'A month that has ended, whose map nobody has said was sent to the Federal Police',
  ],
});
export type AlertKind = ValueOf<typeof alertKinds>;

/** Only people who may read the register of controlled chemicals get alerts of this kind. */
export const UNSENT_MAP: AlertKind = 'mapa_nao_enviado';

/** Longest acknowledgement, in days. The constraint below contains the same number. */
export const LONGEST_DAYS = 180;

/** The subject of an alert: exactly one record. If the record is deleted, the acknowledgement is deleted with it. */
const subject = { nullable: true, unique: true, owner: true, keyOnly: true };

@Entity()
@Check({
  name: 'reconhecimento_alerta_alvo',
  expression: 'num_nonnulls("id_estoque_minimo", "id_estoque", "id_solicitacao_aprovacao") = 1',
})
@Check({
  name: 'reconhecimento_alerta_ate_check',
  expression: `"ate" >= "desde" and "ate" <= "desde" + ${LONGEST_DAYS}`,
})
@ObjectType({
  description: 'That somebody knows of an alert and sees to it, so that it is not open until a day.',
  simpleResolvers: true,
})
export class ReconhecimentoAlerta extends Registro {
  @Column('text', { description: 'Kind that the alert had', max: 30, oneOf: alertKinds })
  tipo!: AlertKind;

  @Link(() => EstoqueMinimo, { description: 'Minimum quantity', ...subject })
  estoqueMinimo!: EstoqueMinimo | null;

  @Link(() => Estoque, { description: 'Stock', ...subject })
  estoque!: Estoque | null;

  @Link(() => SolicitacaoAprovacao, { description: 'Approval request', ...subject })
  solicitacaoAprovacao!: SolicitacaoAprovacao | null;

  @Link(() => Pessoa, { description: 'Who acknowledged it' })
  pessoa!: Pessoa;

  @Column('date', { description: 'Day on which it was acknowledged' })
  desde!: Opt<string>;

  @Column('date', { description: 'Last day on which the alert is not open' })
  ate!: string;

  @Column('text', { description: 'What is being done', max: 500, nullable: true })
  motivo!: string | null;

  /**
   * The quantity that the alert had, in the unit of the material. The acknowledgement does not count for a worse one.
   * Those of earlier versions have none, and count for any.
   */
  @Property({ type: 'integer', nullable: true })
  quantidade!: number | null;

  /** The minimum quantity that the alert had, in the unit of the material. */
  @Property({ type: 'integer', nullable: true })
  minimo!: number | null;
}
