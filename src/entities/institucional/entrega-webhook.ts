import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link, timestamp } from '../column.ts';
import { Webhook } from './webhook.ts';

export const deliveryStates = choices('SituacaoEntrega', 'State of a delivery', {
  PENDENTE: ['pendente', 'It waits for its first or its next try, or for an earlier event of the record'],
  ENTREGUE: ['entregue', 'The receiver accepted it'],
  OMITIDA: ['omitida', 'The owner of the webhook may not read it, so it was not sent'],
  FALHOU: ['falhou', 'It was a test, and the receiver did not accept it'],
});
export type DeliveryState = ValueOf<typeof deliveryStates>;

/**
 * The delivery of an event to a webhook. It is not audited: it repeats an audited change, and is updated with each
 * attempt.
 */
@Entity()
@Index({
  name: 'entrega_webhook_pendente',
  expression: `create index "entrega_webhook_pendente" on "entrega_webhook" ("id_webhook", "tabela", "id_registro", "id") where "situacao" = 'pendente'`,
})
@ObjectType({ description: 'An event that is, or was, sent to a webhook.', simpleResolvers: true })
export class EntregaWebhook {
  @Field(() => Int, { description: 'Identifier' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Column('timestamp', { description: 'When the event was found', stamp: 'created' })
  criadoEm!: Opt<Date>;

  @Link(() => Webhook, { description: 'Webhook', owner: true })
  webhook!: Webhook;

  @Column('uuid', { description: 'Name of the message (`webhook-id`), the same at each try' })
  mensagem!: Opt<string>;

  @Column('text', { description: 'Kind of the event, such as `lote.criado`', max: 80 })
  evento!: string;

  @Column('text', { description: 'Table of its record', max: 63 })
  tabela!: string;

  @Column('integer', { description: 'Identifier of its record' })
  idRegistro!: number;

  @Column('text', {
    description: deliveryStates.description,
    max: 10,
    oneOf: deliveryStates,
    default: 'pendente',
  })
  situacao!: Opt<DeliveryState>;

  @Column('integer', { description: 'How often it was tried', default: 0 })
  tentativas!: Opt<number>;

  @Column('timestamp', { description: 'When it is tried next, if it waits', stamp: 'created' })
  proximaEm!: Opt<Date>;

  @Column('timestamp', { description: 'When it was last tried', nullable: true })
  tentadaEm!: Date | null;

  @Column('timestamp', { description: 'When it ended', nullable: true, sort: true })
  concluidaEm!: Date | null;

  @Column('integer', {
    description: 'HTTP status of the last answer, if there was one',
    nullable: true,
  })
  status!: number | null;

  @Column('text', { description: 'Beginning of the last answer', max: 1000, nullable: true })
  resposta!: string | null;

  @Column('text', { description: 'Why there was no answer', max: 300, nullable: true })
  erro!: string | null;

  /** The event, as it was in the feed. */
  @Property({ type: 'json', lazy: true, hidden: true })
  mudanca!: object;

  /** The process that is sending it, and until when no other process may. */
  @Property({ type: 'uuid', nullable: true, hidden: true })
  reserva!: string | null;

  @Property({ ...timestamp, nullable: true, hidden: true })
  reservadaAte!: Date | null;
}
