import { Max, Min } from 'class-validator';
import { Arg, Args, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Own, Requires } from '../../access/access.ts';
import { tokenDetails } from '../../domain/login/token-details.ts';
import { issueKey, limitFailures, revokeKey, type IssuedKey } from '../../domain/api-keys.ts';
import { ChaveApi } from '../../entities/permissoes/chave-api.ts';
import { ParametroAcessoApi } from '../../entities/permissoes/parametro-acesso-api.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { LoginPerfil, LoginPessoa, SistemaDoMenu } from '../login/login.ts';
import { list, resource } from '../resource.ts';
import { PermissaoEfetiva } from './permissao-efetiva.ts';

const CONTROLLER = 'permissoes/parametros-acesso-api';

@List(() => ParametroAcessoApi, { paging: 'optional' })
export class ParametrosAcessoApiArgs extends ListArgs {}

@List(() => ChaveApi, { paging: 'optional' })
export class ChavesApiArgs extends ListArgs {
  @Filter(() => Int, 'idSistema') idSistema?: number;
}

@ObjectType({ description: 'A key that was just issued.', simpleResolvers: true })
export class ChaveEmitida implements IssuedKey {
  @Field(() => Int, { description: 'Identifier, by which it is revoked' })
  id!: number;

  @Field(() => String, { description: 'The key. It is shown this once.' })
  chave!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it expires' })
  expiraEm!: string | null;
}

@InputType({ description: 'How many logins through a system may fail.' })
export class LimiteFalhasInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Failed logins in 15 minutes, whoever fails; null: as many as of any address. For a system that many people ' +
      'log in through, all from its own address',
  })
  @Min(1)
  @Max(10_000)
  limiteFalhas?: number | null;
}

@ObjectType({ description: 'What stands behind a live token.', simpleResolvers: true })
export class AcessoPorToken {
  @Field(() => Int, { description: 'Identifier of the session' })
  id!: number;

  @Field(() => DateTimeScalar, { description: 'When the token expires' })
  expiraEm!: Date;

  @Field(() => String, { nullable: true, description: 'Version of the calling application' })
  versaoAplicacao!: string | null;

  @Field(() => SistemaDoMenu, { description: 'System through which the person logged in' })
  sistema!: SistemaDoMenu;

  @Field(() => LoginPessoa, { description: 'Person who logged in' })
  pessoa!: LoginPessoa;

  @Field(() => [LoginPerfil], { description: 'Active profiles of the person' })
  perfis!: LoginPerfil[];

  @Field(() => [PermissaoEfetiva], { description: 'What the person may do' })
  permissoes!: PermissaoEfetiva[];
}

export const ParametroAcessoApiResolver = resource(ParametroAcessoApi, CONTROLLER, {
  parametrosAcessoApi: list(ParametrosAcessoApiArgs, 'Systems that may call; never their keys'),
});

const ChaveApiPage = Page(ChaveApi);

@Resolver()
export class ChaveApiResolver {
  @Own({ others: CONTROLLER })
  @Query(() => AcessoPorToken, {
    nullable: true,
    description:
      "What stands behind a live token, one's own or with level 3 another's; null behind any other",
  })
  parametroAcessoApi(
    @Arg('token', () => String, { description: 'Token of a login' }) token: string,
    @TheCall() call: Call,
  ): Promise<AcessoPorToken | null> {
    return tokenDetails(call.context, token, CONTROLLER);
  }

  @Requires(CONTROLLER, 3)
  @Query(() => ChaveApiPage, {
    description: 'Access keys of systems: when they expire and were last used, never the keys',
  })
  chavesApi(@Args(() => ChavesApiArgs) args: ChavesApiArgs): RecordList<ChaveApi> {
    return recordList(args);
  }

  @Requires(CONTROLLER, 3, { once: false })
  @Mutation(() => ChaveEmitida, {
    description: 'Issues a key for a system, which is shown this once. Two may live at a time.',
  })
  emitirChaveApi(
    @Arg('idSistema', () => Int, { description: 'System that will call with it' }) idSistema: number,
    @Arg('expiraEm', () => DateTimeScalar, {
      nullable: true,
      description: 'When it expires; never when absent',
    })
    expiraEm: string | null,
    @TheCall() call: Call,
  ): Promise<ChaveEmitida> {
    return issueKey(call, idSistema, expiraEm ?? null);
  }

  @Requires(CONTROLLER, 3)
  @Mutation(() => ChaveApi, { description: 'Revokes a key: it is dead from now on' })
  revogarChaveApi(
    @Arg('id', () => Int, { description: 'Identifier of the key' }) id: number,
    @TheCall() call: Call,
  ): Promise<ChaveApi> {
    return revokeKey(call, id);
  }

  @Requires(CONTROLLER, 3)
  @Mutation(() => ParametroAcessoApi, {
    description: 'Sets how many logins through a system may fail in 15 minutes, apart from its address',
  })
  definirLimiteFalhas(
    @Arg('idSistema', () => Int, { description: 'System that calls' }) idSistema: number,
    @Arg('input', () => LimiteFalhasInput, { description: 'The limit' }) { limiteFalhas }: LimiteFalhasInput,
    @TheCall() call: Call,
  ): Promise<ParametroAcessoApi> {
    return limitFailures(call, idSistema, limiteFalhas ?? null);
  }
}
