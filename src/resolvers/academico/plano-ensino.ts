import { Arg, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { DocentePlano } from '../../entities/academico/docente-plano.ts';
import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { AppError } from '../../errors.ts';
import { messages } from '../../messages.ts';
import { TheCall, type Call } from '../../request/call.ts';

const CONTROLLER = 'academico/planos-ensino';

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
    if (!(await call.context.readsAll(CONTROLLER)) && !(await teaches(id, call)))
      throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(CONTROLLER, 1) });
    return call.one(PlanoEnsino, { id });
  }
}

async function teaches(planoEnsino: number, { context }: Call): Promise<boolean> {
  const { idPessoa } = await context.session();
  const em = context.services.orm.em.fork();
  return (await em.count(DocentePlano, { planoEnsino, pessoa: idPessoa })) > 0;
}
