import { Args, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { locationsOf } from '../../domain/managers.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Movimentacao } from '../../entities/almoxarifado/movimentacao.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { MovimentacoesEstoqueArgs } from './movimentacao.ts';

@List(() => Local, { paging: 'default', usually: ['nome'] })
export class MeusLocaisArgs extends ListArgs {
  @Filter(() => Int, 'idLotacao') idLotacao?: number;
}

@List(() => Movimentacao, { paging: 'default', usually: ['-data'] })
export class MinhasMovimentacoesArgs extends MovimentacoesEstoqueArgs {}

const LocalPage = Page(Local);
const MovimentacaoPage = Page(Movimentacao);

/** A technician's own records, which need no level. */
@Resolver()
export class MeusResolver {
  @Own()
  @Query(() => LocalPage, { description: 'The locations that the caller manages today' })
  async meusLocais(
    @Args(() => MeusLocaisArgs) args: MeusLocaisArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<Local>> {
    const { idPessoa } = await context.session();
    return recordList(args, { id: await locationsOf(context.services.orm.em.fork(), idPessoa) });
  }

  @Own()
  @Query(() => MovimentacaoPage, {
    description: 'The movements that the caller registered, the newest first',
  })
  async minhasMovimentacoes(
    @Args(() => MinhasMovimentacoesArgs) args: MinhasMovimentacoesArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<Movimentacao>> {
    return recordList(args, { criadoPor: (await context.session()).idPessoa });
  }
}
