import { Min } from 'class-validator';
import { Arg, Args, ArgsType, Field, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { createMovements } from '../../domain/movements.ts';
import { changePending, deletePending } from '../../domain/pending-movements.ts';
import { reverseMovement } from '../../domain/reversals.ts';
import { MOVEMENTS_CONTROLLER, PENDENTE } from '../../domain/movement.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { Movimentacao } from '../../entities/almoxarifado/movimentacao.ts';
import { StatusMovimentacao } from '../../entities/almoxarifado/status-movimentacao.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { TipoMovimentacao } from '../../entities/almoxarifado/tipo-movimentacao.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall, TheVersionedCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, one, remove, resource, update } from '../resource.ts';
import { MovimentacaoUpdateInput, MovimentacoesInput } from './movimentacao-input.ts';

const place = [() => Local, 'nome'] as const;
const material = ['lote.material.titulo', 'lote.material.descricao'];

@List(() => Movimentacao, { paging: 'optional', plural: 'movimentacoes' })
export class MovimentacoesEstoqueArgs extends ListArgs {
  @Filter(() => Int, ['idLocalDestinoFim', 'idLocalDestinoArm'], { title: 'Destino', names: place })
  idLocalDestino?: number;
  @Filter(() => Int, ['idLocalOrigemFim', 'idLocalOrigemArm'], { title: 'Origem', names: place })
  idLocalOrigem?: number;
  @Filter(() => Int, 'idLote', { title: 'Lote', names: [() => Lote, 'codLote'] }) idLote?: number;
  @Filter(() => Int, 'idTipoMovimentacao', { title: 'Tipo', names: [() => TipoMovimentacao, 'descricao'] })
  idTipoMovimentacao?: number;
  @Filter(() => Int, 'lote.material.idTipoControle', {
    title: 'Tipo de controle',
    names: [() => TipoControle, 'descricao'],
  })
  tipoControle?: number;
  @Filter(() => String, 'lote.material.titulo') titulo?: string;
  @Filter(() => String, 'lote.material.descricao', { title: 'Descrição do material' }) descricao?: string;
  @Filter(() => String, material) material?: string;
  @Filter(() => String, 'lote.codLote', { match: 'exact' }) codLote?: string;
  @Filter(() => DateScalar, 'criadoEm', { match: 'day', title: 'Registrada em' }) criadoEm?: string;
  @Filter(() => DateScalar, 'lote.dataVenc') dataVenc?: string;
  @Filter(() => Int, 'idStatusMovimentacao', {
    title: 'Situação',
    names: [() => StatusMovimentacao, 'descricao'],
  })
  status?: number;
  @Filter(() => Boolean, 'idStatusMovimentacao', {
    value: (only: boolean) => (only ? PENDENTE : undefined),
    default: false,
    title: 'Pendentes de aprovação',
    description: 'Only movements that wait for approval',
  })
  pendentesAprovacao?: boolean;

  @OrderBy('lote.material.titulo') orderByMaterial?: Ordem;
  @OrderBy('lote.codLote') orderByCodLote?: Ordem;
  @OrderBy('tipoMovimentacao.descricao') orderByTipoMovimentacao?: Ordem;
  @OrderBy('quantidade') orderByQuantidade?: Ordem;
  @OrderBy('lote.material.unidadeMedida.descricao') orderByUnidadeMedida?: Ordem;
  @OrderBy('localOrigemFim.nome') orderByOrigem?: Ordem;
  @OrderBy('localDestinoFim.nome') orderByDestino?: Ordem;
  @OrderBy('data') orderByData?: Ordem;
  @OrderBy('statusMovimentacao.descricao') orderByStatus?: Ordem;
}

export const MovimentacaoResolver = resource(Movimentacao, MOVEMENTS_CONTROLLER, {
  movimentacoesEstoque: list(MovimentacoesEstoqueArgs, 'Movements of stock'),
  movimentacaoEstoque: one('One movement; null when there is none with this id'),
  atualizarMovimentacaoEstoque: update(
    MovimentacaoUpdateInput,
    'Changes a movement that is still pending; an effective one is undone by a reversal',
    changePending,
  ),
  excluirMovimentacaoEstoque: remove('Deletes a movement that is still pending', deletePending),
});

@ArgsType()
class EstornoArgs {
  @Field(() => Int, { description: 'Movement to be undone' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'How much of it; all that is left when absent' })
  @Min(1)
  quantidade?: number | null;

  @FieldOf(Movimentacao) observacao?: string | null;
}

@Resolver()
export class RegistroMovimentacoesResolver {
  @Requires(MOVEMENTS_CONTROLLER, 2, { inTransaction: true })
  @Mutation(() => Page(Movimentacao), {
    description:
      'Registers movements, all or none: effective at once, or pending approval where the material is controlled',
  })
  criarMovimentacoesEstoque(
    @Arg('input', () => MovimentacoesInput, { description: 'The movements' })
    { movimentacoes }: MovimentacoesInput,
    @TheCall() call: Call,
  ): Promise<Page<Movimentacao>> {
    return createMovements(call, movimentacoes!, new MovimentacoesEstoqueArgs());
  }

  @Requires(MOVEMENTS_CONTROLLER, 2)
  @Mutation(() => Movimentacao, {
    description:
      'Reverses an effective movement, or a part of it, and answers the reversal; that of a controlled material waits for approval',
  })
  estornarMovimentacao(
    @Args(() => EstornoArgs) args: EstornoArgs,
    @TheVersionedCall() call: Call,
  ): Promise<Movimentacao> {
    return reverseMovement(call, args);
  }
}
