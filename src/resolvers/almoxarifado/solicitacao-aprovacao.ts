import { Args, ArgsType, Field, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { APPROVALS_CONTROLLER } from '../../domain/alerts.ts';
import { decideMovement } from '../../domain/approval.ts';
import { SolicitacaoAprovacao } from '../../entities/almoxarifado/solicitacao-aprovacao.ts';
import { List, ListArgs } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheVersionedCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, one, resource } from '../resource.ts';

@List(() => SolicitacaoAprovacao, { paging: 'optional', byDefault: { situacao: 'P' } })
export class SolicitacoesAprovacaoArgs extends ListArgs {}

@ArgsType()
class DecisaoArgs {
  @Field(() => Int, { description: 'Movement to be decided' })
  idMovimentacao!: number;
}

@ArgsType()
class RejeicaoArgs extends DecisaoArgs {
  @FieldOf(SolicitacaoAprovacao) motivo?: string | null;
}

export const SolicitacaoAprovacaoResolver = resource(SolicitacaoAprovacao, APPROVALS_CONTROLLER, {
  solicitacoesAprovacao: list(SolicitacoesAprovacaoArgs, 'Movements that wait for approval, oldest first'),
  solicitacaoAprovacao: one('One approval request, decided or not; null when there is none with this id'),
});

@Resolver()
export class DecisaoResolver {
  @Requires(APPROVALS_CONTROLLER, 3)
  @Mutation(() => SolicitacaoAprovacao, { description: 'Approves a pending movement, which changes stock' })
  aprovarMovimentacao(
    @Args(() => DecisaoArgs) args: DecisaoArgs,
    @TheVersionedCall() call: Call,
  ): Promise<SolicitacaoAprovacao> {
    return decideMovement(call, 'aprovar', args);
  }

  @Requires(APPROVALS_CONTROLLER, 3)
  @Mutation(() => SolicitacaoAprovacao, {
    description: 'Rejects a pending movement, which then has no effect',
  })
  rejeitarMovimentacao(
    @Args(() => RejeicaoArgs) args: RejeicaoArgs,
    @TheVersionedCall() call: Call,
  ): Promise<SolicitacaoAprovacao> {
    return decideMovement(call, 'rejeitar', args);
  }
}
