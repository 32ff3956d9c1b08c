import { ArrayMinSize } from 'class-validator';
import { Arg, Args, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import {
  deliveryStates,
  EntregaWebhook,
  type DeliveryState,
} from '../../entities/institucional/entrega-webhook.ts';
import {
  FiltroWebhook,
  Webhook,
  webhookStates,
  type WebhookState,
} from '../../entities/institucional/webhook.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall, TheVersionedCall } from '../../request/the-call.ts';
import {
  changeWebhook,
  createWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  sendAgain,
  testWebhook,
  type IssuedSecret,
} from '../../webhooks/administration.ts';
import { WEBHOOKS_CONTROLLER } from '../../webhooks/rights.ts';
import { FieldOf } from '../field-of.ts';

@List(() => Webhook, { paging: 'default' })
export class WebhooksArgs extends ListArgs {
  @Filter(webhookStates.graphql, 'situacao') situacao?: WebhookState;
}

@List(() => EntregaWebhook, { paging: 'default', usually: ['-id'] })
export class EntregasWebhookArgs extends ListArgs {
  @Filter(() => Int, 'idWebhook') idWebhook?: number;
  @Filter(deliveryStates.graphql, 'situacao') situacao?: DeliveryState;
  @Filter(() => String, 'evento', { match: 'exact' }) evento?: string;
  @Filter(() => String, 'tabela', { match: 'exact' }) tabela?: string;
  @Filter(() => Int, 'idRegistro') idRegistro?: number;

  @OrderBy('criadoEm') orderByCriadoEm?: Ordem;
}

@InputType({ description: 'An address to which events are sent.' })
export class WebhookInput {
  @FieldOf(Webhook, {
    description:
      'Address to which events are sent: https, and public, unless the operator has named its network (`WEBHOOK_ALLOW`)',
  })
  url!: string;

  @Field(() => [String], { description: 'Kinds of events, such as `lote.criado`' })
  @ArrayMinSize(1)
  eventos!: string[];

  @Field(() => FiltroWebhook, { nullable: true, description: 'Which of these events; all when absent' })
  filtro?: FiltroWebhook | null;
}

@ObjectType({ description: 'The secret of a webhook that was just made.', simpleResolvers: true })
export class SegredoWebhook implements IssuedSecret {
  @Field(() => Int, { description: 'Identifier of the webhook' })
  id!: number;

  @Field(() => String, { description: 'The secret. It is shown this once.' })
  segredo!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when the secret before it signs, too; null: there was none',
  })
  anteriorAte!: string | null;
}

const WebhookPage = Page(Webhook);
const EntregaWebhookPage = Page(EntregaWebhook);
const ID = { description: 'Identifier of the webhook' };
const DELIVERY = { description: 'Identifier of the delivery' };
const INPUT = { description: 'The webhook' };

@Resolver()
export class WebhookResolver {
  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Query(() => WebhookPage, { description: 'Webhooks, never their secrets' })
  webhooks(@Args(() => WebhooksArgs) args: WebhooksArgs): RecordList<Webhook> {
    return recordList(args);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Query(() => Webhook, { nullable: true, description: 'One webhook; null when there is none with this id' })
  webhook(@Arg('id', () => Int, ID) id: number, @TheCall() call: Call): Promise<Webhook | null> {
    return call.one(Webhook, { id });
  }

  @Requires(WEBHOOKS_CONTROLLER, 3, { once: false })
  @Mutation(() => SegredoWebhook, {
    description: 'Makes a webhook that the caller owns, and its secret, which is shown this once',
  })
  criarWebhook(
    @Arg('input', () => WebhookInput, INPUT) input: WebhookInput,
    @TheCall() call: Call,
  ): Promise<SegredoWebhook> {
    return createWebhook(call, input);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => Webhook, {
    description:
      'Changes a webhook. For that of another person it takes level 3 on all that this person may do',
  })
  atualizarWebhook(
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => WebhookInput, INPUT) input: WebhookInput,
    @TheVersionedCall() call: Call,
  ): Promise<Webhook> {
    return changeWebhook(call, id, input);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => Webhook, {
    description: 'Removes a webhook and its deliveries, and answers it as it stood',
  })
  excluirWebhook(@Arg('id', () => Int, ID) id: number, @TheVersionedCall() call: Call): Promise<Webhook> {
    return removeWebhook(call, id);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => Webhook, { description: 'Pauses a webhook. Its events wait until it is resumed' })
  pausarWebhook(@Arg('id', () => Int, ID) id: number, @TheVersionedCall() call: Call): Promise<Webhook> {
    return pauseWebhook(call, id);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => Webhook, {
    description:
      'Resumes a webhook with the events that wait. For that of another person it takes level 3 on all that this person may do',
  })
  retomarWebhook(@Arg('id', () => Int, ID) id: number, @TheVersionedCall() call: Call): Promise<Webhook> {
    return resumeWebhook(call, id);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3, { once: false })
  @Mutation(() => SegredoWebhook, {
    description:
      'Gives a webhook a new secret, which is shown this once. For a day both secrets sign. For the webhook of another person it takes level 3 on all that this person may do',
  })
  trocarSegredoWebhook(@Arg('id', () => Int, ID) id: number, @TheCall() call: Call): Promise<SegredoWebhook> {
    return rotateSecret(call, id);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => EntregaWebhook, {
    description: 'Sends an event `webhook.teste`, once, also while the webhook is paused',
  })
  testarWebhook(@Arg('id', () => Int, ID) id: number, @TheCall() call: Call): Promise<EntregaWebhook> {
    return testWebhook(call, id);
  }
}

@Resolver()
export class EntregaWebhookResolver {
  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Query(() => EntregaWebhookPage, { description: 'Deliveries to webhooks, the latest first' })
  entregasWebhook(@Args(() => EntregasWebhookArgs) args: EntregasWebhookArgs): RecordList<EntregaWebhook> {
    return recordList(args);
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Query(() => EntregaWebhook, {
    nullable: true,
    description: 'One delivery; null when there is none with this id',
  })
  entregaWebhook(
    @Arg('id', () => Int, DELIVERY) id: number,
    @TheCall() call: Call,
  ): Promise<EntregaWebhook | null> {
    return call.one(EntregaWebhook, { id });
  }

  @Requires(WEBHOOKS_CONTROLLER, 3)
  @Mutation(() => EntregaWebhook, {
    description: 'Sends a delivery again that has ended, or now if it waits',
  })
  reenviarEntregaWebhook(
    @Arg('id', () => Int, DELIVERY) id: number,
    @TheCall() call: Call,
  ): Promise<EntregaWebhook> {
    return sendAgain(call, id);
  }
}
