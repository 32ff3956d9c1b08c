import { Arg, Args, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { DocentePlano } from '../../entities/academico/docente-plano.ts';
import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { AppError } from '../../errors.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { messages } from '../../messages.ts';
import { TheCall, type Call } from '../../request/call.ts';
import type { Context } from '../../request/context.ts';

const CONTROLLER = 'academico/planos-ensino';

@List(() => PlanoEnsino, { paging: 'default', usually: ['nomeDisciplina'] })
class PlanosEnsinoArgs extends ListArgs {}

@List(() => PlanoEnsino, { paging: 'default', usually: ['-ano', '-semestre', 'nomeDisciplina'] })
export class MeusPlanosArgs extends ListArgs {
  @Filter(() => String, 'nomeDisciplina') nomeDisciplina?: string;
  @Filter(() => Int, 'ano') ano?: number;
  @Filter(() => Int, 'semestre') semestre?: number;
  @Filter(() => Int, 'idSituacao') idSituacao?: number;
}

const PlanoEnsinoPage = Page(PlanoEnsino);

@Resolver()
export class PlanoEnsinoResolver {
  @Own({ readers: CONTROLLER })
  @Query(() => PlanoEnsino, {
    nullable: true,
    description: 'One teaching plan, to whoever teaches by it; null when there is none with this id',
  })
  async planoEnsino(
    @Arg('id', () => Int, { description: 'Identifier of the plan' }) id: number,
    @TheCall() call: Call,
  ): Promise<PlanoEnsino | null> {
    const taught = await taughtBy(call);
    if (taught && !taught.includes(id))
      throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(CONTROLLER, 1) });
    return call.one(PlanoEnsino, { id });
  }

  @Own({ readers: CONTROLLER })
  @Query(() => PlanoEnsinoPage, {
    description:
      'Teaching plans by name of the discipline; without level 1 those by which the caller teaches',
  })
  async planosEnsino(
    @Args(() => PlanosEnsinoArgs) args: PlanosEnsinoArgs,
    @TheCall() call: Call,
  ): Promise<RecordList<PlanoEnsino>> {
    const id = await taughtBy(call);
    return recordList(args, id && { id });
  }

  @Own()
  @Query(() => PlanoEnsinoPage, {
    description: 'The teaching plans by which the caller teaches, those of the latest semester first',
  })
  async meusPlanos(
    @Args(() => MeusPlanosArgs) args: MeusPlanosArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<PlanoEnsino>> {
    return recordList(args, { id: await ownPlans(context) });
  }
}

/** The plans by which the caller teaches; undefined if they may read all. */
async function taughtBy({ context }: Call): Promise<number[] | undefined> {
  return (await context.readsAll(CONTROLLER)) ? undefined : ownPlans(context);
}

/** The plans by which the caller teaches. */
async function ownPlans(context: Context): Promise<number[]> {
  const { idPessoa } = await context.session();
  const taught = await context.services.orm.em.fork().find(DocentePlano, { pessoa: idPessoa });
  return taught.map(({ planoEnsino }) => planoEnsino.id);
}
