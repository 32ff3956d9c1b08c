import { sql } from '@mikro-orm/core';
import { Arg, Args, ArgsType, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { digest } from '../../access/secrets.ts';
import { recordLock } from '../../domain/records.ts';
import { writingAs } from '../../request/writing.ts';
import { Sessao } from '../../entities/permissoes/sessao.ts';
import { notFound } from '../../errors.ts';
import { List, ListArgs } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { listOwn, resource } from '../resource.ts';
import { actAs } from '../../request/for-person.ts';

const CONTROLLER = 'permissoes/autenticacoes';

@List(() => Sessao, { paging: 'optional' })
export class AutenticacoesArgs extends ListArgs {}

@ArgsType()
class AutenticacaoArgs {
  @Field(() => Int, { description: 'Identifier of the session' })
  id!: number;

  @Field(() => String, { nullable: true, description: 'Its token, which then must be that of this session' })
  token?: string | null;
}

export const SessaoResolver = resource(Sessao, CONTROLLER, {
  autenticacoes: listOwn(AutenticacoesArgs, 'Logins, ended ones included; never their tokens', 'idPessoa'),
});

@Resolver()
export class AutenticacaoResolver {
  @Own({ readers: CONTROLLER })
  @Query(() => Sessao, {
    nullable: true,
    description: 'One login; null when there is none with this id, or the token is of another',
  })
  async autenticacao(
    @Args(() => AutenticacaoArgs) { id, token }: AutenticacaoArgs,
    @TheCall() call: Call,
  ): Promise<Sessao | null> {
    const session = await call.context.session();
    const own = (await call.context.caller.readsAll(CONTROLLER)) ? {} : { idPessoa: session.idPessoa };
    return call.one(Sessao, { id, ...own, ...(token != null && { tokenHash: digest(token) }) });
  }

  @Own({ others: CONTROLLER })
  @Mutation(() => Sessao, {
    description:
      "Ends a session: its token is dead from now on. Another's needs level 3, here and on everything that they hold.",
  })
  async encerrarSessao(
    @Arg('id', () => Int, { description: 'Identifier of the session' }) id: number,
    @TheCall() call: Call,
  ): Promise<Sessao> {
    const em = call.context.services.orm.em.fork();
    const found = await em.findOne(Sessao, { id });
    // The permission is checked first, so that an unauthorised caller does not learn which sessions exist.
    await actAs(call.context, found?.pessoa.id, CONTROLLER);
    if (!found) throw notFound();
    return writingAs(call, { lane: 'login', locks: [recordLock(Sessao, id)] }, async em => {
      await em.nativeUpdate(Sessao, { id, encerradaEm: null }, { encerradaEm: sql.now() });
      return (await call.written(em, Sessao, { id }))!;
    });
  }
}
