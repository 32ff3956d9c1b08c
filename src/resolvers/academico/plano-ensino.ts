import { Arg, Args, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { AppError } from '../../errors.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList, type RecordList, type Scope } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { messages } from '../../messages.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
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

/** Path from a plan to its teachers. */
const TEACHER = 'docentes.pessoa';

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
    const { context } = call;
    if (await context.caller.readsAll(CONTROLLER)) return call.one(PlanoEnsino, { id });
    const own = await call.one(PlanoEnsino, { id, ...(await ownPlans(context)) });
    if (!own) throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(CONTROLLER, 1) });
    return own;
  }

  @Own({ readers: CONTROLLER, person: TEACHER })
  @Query(() => PlanoEnsinoPage, {
    description:
      'Teaching plans by name of the discipline; without level 1 those by which the caller teaches',
  })
  async planosEnsino(
    @Args(() => PlanosEnsinoArgs) args: PlanosEnsinoArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<PlanoEnsino>> {
    return recordList(args, (await context.caller.readsAll(CONTROLLER)) ? {} : await ownPlans(context));
  }

  @Own()
  @Query(() => PlanoEnsinoPage, {
    description: 'The teaching plans by which the caller teaches, those of the latest semester first',
  })
  async meusPlanos(
    @Args(() => MeusPlanosArgs) args: MeusPlanosArgs,
    @TheCall() { context }: Call,
  ): Promise<RecordList<PlanoEnsino>> {
    return recordList(args, await ownPlans(context));
  }
}

/** The condition that the caller is a teacher of the plan. */
const ownPlans = async (context: Context): Promise<Scope> => ({
  [TEACHER]: (await context.session()).idPessoa,
});
