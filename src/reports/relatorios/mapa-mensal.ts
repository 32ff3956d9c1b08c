import { MaxLength, MinLength } from 'class-validator';
import { Args, ArgsType, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { closeMap, registerSending, reopenMap } from '../../domain/map-closing.ts';
import { MAP_CONTROLLER, requireMonth, type MapMonth } from '../../domain/monthly-map.ts';
import { FechamentoMapa } from '../../entities/almoxarifado/fechamento-mapa.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList } from '../../listing/list.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { IsNotBlank } from '../../request/validation.ts';
import { list, one, resource } from '../../resolvers/resource.ts';
import { viewOf } from '../mapa.ts';
import { IsMonth, IsYear } from '../month-args.ts';
import { MapaMensal, SHOWN_FINDINGS } from '../mapa-types.ts';
import { FINDINGS_OF_MONTH, PendenciasMapaArgs, type PendenciaMapa } from './pendencias-mapa.ts';

@ArgsType()
class MapaArgs implements MapMonth {
  @Field(() => Int, { description: 'Year' })
  ano!: number;

  @Field(() => Int, { description: 'Month, 1 to 12' })
  mes!: number;
}

@ArgsType()
class MesArgs extends MapaArgs {
  @IsYear() override ano!: number;
  @IsMonth() override mes!: number;
}

@ArgsType()
class FechadoArgs extends MesArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the file that is meant: refused when the month has been closed with another one by now',
  })
  @MinLength(64)
  @MaxLength(64)
  sha256?: string | null;
}

@ArgsType()
class FecharArgs extends MesArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether the month shall be closed although it has findings (`pendencias`)',
  })
  cientePendencias?: boolean | null;
}

@ArgsType()
class ReabrirArgs extends FechadoArgs {
  @Field(() => String, { description: 'Why' })
  @IsNotBlank()
  @MaxLength(500)
  motivo!: string;
}

@ArgsType()
class EnvioArgs extends FechadoArgs {
  @Field(() => String, { description: 'Protocol number that SIPROQUIM 2 gave' })
  @IsNotBlank()
  @MaxLength(60)
  protocolo!: string;
}

@List(() => FechamentoMapa, { paging: 'default', usually: ['-ano', '-mes', '-id'] })
export class FechamentosMapaArgs extends ListArgs {
  @Filter(() => Int, 'ano') @IsYear() ano?: number;
  @Filter(() => Int, 'mes') @IsMonth() mes?: number;
}

export const FechamentoMapaResolver = resource(FechamentoMapa, MAP_CONTROLLER, {
  fechamentosMapa: list(
    FechamentosMapaArgs,
    'Closings of months of the map of controlled chemicals, also those that somebody reopened',
  ),
  fechamentoMapa: one('One closing of a month; null when there is none with this id'),
});

/** The findings of a month. The map shows only the first ones. */
const findingsOf = (ano: number, mes: number) =>
  recordList<PendenciaMapa>(
    Object.assign(new PendenciasMapaArgs(), { ano, mes, pagination: true, itemsPerPage: SHOWN_FINDINGS }),
  );

@Resolver()
export class MapaMensalResolver {
  @Requires(MAP_CONTROLLER, 1)
  @Query(() => MapaMensal, {
    description:
      'The map of a month of controlled chemicals, with what it lacks. REST answers its file to `Accept: application/octet-stream`',
  })
  async mapaMensal(@Args(() => MapaArgs) { ano, mes }: MapaArgs, @TheCall() call: Call): Promise<MapaMensal> {
    requireMonth({ ano, mes });
    return viewOf(call, { ano, mes }, findingsOf(ano, mes));
  }

  @Requires(MAP_CONTROLLER, 3)
  @Mutation(() => FechamentoMapa, {
    description:
      'Closes a month of the map: keeps its file, and from then on nothing of the month changes. The month must be over',
  })
  fecharMapa(
    @Args(() => FecharArgs) { ano, mes, cientePendencias }: FecharArgs,
    @TheCall() call: Call,
  ): Promise<FechamentoMapa> {
    return closeMap(call, {
      ano,
      mes,
      cientePendencias: cientePendencias ?? false,
      findings: FINDINGS_OF_MONTH,
    });
  }

  @Requires(MAP_CONTROLLER, 3)
  @Mutation(() => FechamentoMapa, {
    description: 'Reopens a closed month of the map, so that it can change. What was kept of it stays',
  })
  reabrirMapa(
    @Args(() => ReabrirArgs) { ano, mes, motivo, sha256 = null }: ReabrirArgs,
    @TheCall() call: Call,
  ): Promise<FechamentoMapa> {
    return reopenMap(call, { ano, mes, sha256 }, motivo);
  }

  @Requires(MAP_CONTROLLER, 3)
  @Mutation(() => FechamentoMapa, {
    description:
      'Says that the file of a closed month was sent to the Federal Police, with its protocol number',
  })
  registrarEnvioMapa(
    @Args(() => EnvioArgs) { ano, mes, protocolo, sha256 = null }: EnvioArgs,
    @TheCall() call: Call,
  ): Promise<FechamentoMapa> {
    return registerSending(call, { ano, mes, sha256 }, protocolo);
  }
}
