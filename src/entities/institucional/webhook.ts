import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';

export const webhookStates = choices('SituacaoWebhook', 'State of a webhook', {
  ATIVO: ['ativo', 'It gets events'],
  PAUSADO: ['pausado', 'It gets none; events wait until it is resumed'],
});
export type WebhookState = ValueOf<typeof webhookStates>;

export const pauseReasons = choices('MotivoPausaWebhook', 'Why a webhook is paused', {
  PEDIDO: ['pedido', 'Somebody paused it'],
  FALHAS: ['falhas', 'An event was not accepted in three days'],
  CANCELAMENTO: ['cancelamento', 'The receiver answered 410: it wants no more events'],
  DIREITOS: ['direitos', 'Its owner may not have webhooks any more'],
  SEGREDO: ['segredo', 'Its secret cannot be decrypted: `WEBHOOK_KEY` is another one'],
  COPIA: ['copia', 'The database was copied or moved: resume it if no other service uses the original'],
});
export type PauseReason = ValueOf<typeof pauseReasons>;

const filter = { description: 'Which events of its kinds a webhook gets. All that is given must hold.' };

/** Input and output have the same fields. */
@ObjectType({ ...filter, simpleResolvers: true })
@InputType('FiltroWebhookInput', filter)
export class FiltroWebhook {
  @Field(() => [Int], { nullable: true, description: 'Only of these records' })
  registros?: number[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only changes of at least one of these fields; creations and deletions, too',
  })
  campos?: string[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Not what was written through these systems, such as the receiver itself',
  })
  excetoSistemas?: number[] | null;
}

/** The table `andamento_webhook` contains its secrets and its position, which the audit trail does not repeat. */
@Entity()
@Check({ name: 'webhook_motivo', expression: `("situacao" = 'pausado') = ("motivo" is not null)` })
@ObjectType({
  description: 'An address to which events are sent. It reads with the current rights of its owner.',
  simpleResolvers: true,
})
export class Webhook extends Registro {
  @Link(() => Pessoa, { description: 'Owner: who created it' })
  pessoa!: Pessoa;

  @Column('text', { description: 'Address to which events are sent', max: 2000 })
  url!: string;

  @Field(() => [String], { description: 'Kinds of events, such as `lote.criado`' })
  @Property({ type: 'json' })
  eventos!: string[];

  @Field(() => FiltroWebhook, { description: 'Which of these events', nullable: true })
  @Property({ type: 'json', nullable: true })
  filtro!: FiltroWebhook | null;

  @Column('text', {
    description: webhookStates.description,
    max: 10,
    oneOf: webhookStates,
    default: 'ativo',
  })
  situacao!: Opt<WebhookState>;

  @Column('text', {
    description: 'Why it is paused; null while it is active',
    max: 15,
    nullable: true,
    oneOf: pauseReasons,
  })
  motivo!: PauseReason | null;

  @Column('timestamp', { description: 'When its secret was last changed', stamp: 'created' })
  segredoTrocadoEm!: Opt<Date>;
}
