import { Args, ArgsType, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Own, Requires } from '../../access/access.ts';
import { acknowledgeAlert, ALERTS_CONTROLLER, kindsFor, reopenAlert } from '../../domain/alerts.ts';
import { locationsOf } from '../../domain/managers.ts';
import { Alerta } from '../../entities/almoxarifado/alerta.ts';
import {
  alertKinds,
  ReconhecimentoAlerta,
  type AlertKind,
} from '../../entities/almoxarifado/reconhecimento-alerta.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, resource } from '../resource.ts';

@List(() => Alerta, { paging: 'default', usually: ['diasParaVencer', 'material.titulo'] })
export class AlertasArgs extends ListArgs {
  @Filter(() => alertKinds.graphql(), 'tipo') tipo?: AlertKind;
  @Filter(() => Int, 'idMaterial') idMaterial?: number;
  @Filter(() => Int, 'idLocal') idLocal?: number;
  @Filter(() => Boolean, 'aberto', {
    value: (shown: boolean) => (shown ? undefined : true),
    default: false,
    description: 'Whether to show alerts that somebody has acknowledged, too',
  })
  comReconhecidos?: boolean;
}

@ArgsType()
class AlertaArgs {
  @Field(() => Int, { description: 'Identifier of the alert' })
  id!: number;
}

@ArgsType()
class ReconhecimentoArgs extends AlertaArgs {
  @FieldOf(ReconhecimentoAlerta, {
    description: 'Last day on which it is not open: today, or up to 180 days from now',
  })
  ate!: string;

  @FieldOf(ReconhecimentoAlerta) motivo?: string | null;
}

export const AlertaResolver = resource(Alerta, ALERTS_CONTROLLER, {
  alertas: list(
    AlertasArgs,
    'What somebody should act on in the storeroom: stock that expires or runs low, movements that wait for approval; for who may read the register of controlled chemicals also maps that were not sent',
    async (_, { context }) => ({ tipo: await kindsFor(context) }),
  ),
});

const AlertaPage = Page(Alerta);

@Resolver()
export class ReconhecimentoResolver {
  @Own()
  @Query(() => AlertaPage, { description: 'The alerts of the locations that the caller manages today' })
  async meusAlertas(
    @Args(() => AlertasArgs) args: AlertasArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<Alerta>> {
    const { idPessoa } = await context.session();
    return recordList(args, { idLocal: await locationsOf(context.services.orm.em.fork(), idPessoa) });
  }

  @Requires(ALERTS_CONTROLLER, 2)
  @Mutation(() => Alerta, {
    description:
      'Says that somebody sees to an alert, which is not open until a day. That of a movement which waits for approval takes level 3 on approvals, too, and a person who neither registered nor changed it. That of a map ends when the map is sent',
  })
  reconhecerAlerta(
    @Args(() => ReconhecimentoArgs) { id, ...input }: ReconhecimentoArgs,
    @TheCall() call: Call,
  ): Promise<Alerta> {
    return acknowledgeAlert(call, id, input);
  }

  @Requires(ALERTS_CONTROLLER, 2)
  @Mutation(() => Alerta, { description: 'Opens an alert again that somebody has acknowledged' })
  reabrirAlerta(@Args(() => AlertaArgs) { id }: AlertaArgs, @TheCall() call: Call): Promise<Alerta> {
    return reopenAlert(call, id);
  }
}
