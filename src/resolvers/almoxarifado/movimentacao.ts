import { Arg, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { createMovements, settleMovement } from '../../domain/movements.ts';
import { PENDENTE } from '../../domain/movement.ts';
import { Movimentacao } from '../../entities/almoxarifado/movimentacao.ts';
import { DateScalar } from '../../graphql/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { TheCall, type Call } from '../call.ts';
import { list, one, remove, resource, update } from '../resource.ts';
import { MovimentacaoUpdateInput, MovimentacoesInput } from './movimentacao-input.ts';

const material = ['lote.material.titulo', 'lote.material.descricao'];

@List(() => Movimentacao, { paging: 'optional' })
export class MovimentacoesEstoqueArgs extends ListArgs {
  @Filter(() => Int, ['idLocalDestinoFim', 'idLocalDestinoArm']) idLocalDestino?: number;
  @Filter(() => Int, ['idLocalOrigemFim', 'idLocalOrigemArm']) idLocalOrigem?: number;
  @Filter(() => Int, 'idLote') idLote?: number;
  @Filter(() => Int, 'idTipoMovimentacao') idTipoMovimentacao?: number;
  @Filter(() => Int, 'lote.material.idTipoControle') tipoControle?: number;
  @Filter(() => String, 'lote.material.titulo') titulo?: string;
  @Filter(() => String, 'lote.material.descricao') descricao?: string;
  @Filter(() => String, material) material?: string;
  @Filter(() => String, 'lote.codLote', { match: 'exact' }) codLote?: string;
  @Filter(() => DateScalar, 'criadoEm', { match: 'day' }) criadoEm?: string;
  @Filter(() => DateScalar, 'lote.dataVenc') dataVenc?: string;
  @Filter(() => Int, 'idStatusMovimentacao') status?: number;
  @Filter(() => Boolean, 'idStatusMovimentacao', {
    value: (only: boolean) => (only ? PENDENTE : undefined),
    default: false,
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

const CONTROLLER = 'almoxarifadoquimicos/movimentacoes-estoque';

export const MovimentacaoResolver = resource(Movimentacao, CONTROLLER, {
  movimentacoesEstoque: list(MovimentacoesEstoqueArgs, 'Movements of stock'),
  movimentacaoEstoque: one('One movement; null when there is none with this id'),
  atualizarMovimentacaoEstoque: update(
    MovimentacaoUpdateInput,
    'Changes a movement that is still pending; an effective one is undone by a reversal',
    settleMovement,
  ),
  excluirMovimentacaoEstoque: remove('Deletes a movement that is still pending'),
});

@Resolver()
export class RegistroMovimentacoesResolver {
  @Requires(CONTROLLER, 2)
  @Mutation(() => Page(Movimentacao), {
    description:
      'Registers movements, all or none: effective at once, or pending approval where the material is controlled',
  })
  criarMovimentacoesEstoque(
    @Arg('input', () => MovimentacoesInput) { movimentacoes }: MovimentacoesInput,
    @TheCall() call: Call,
  ): Promise<Page<Movimentacao>> {
    return createMovements(call, movimentacoes!, new MovimentacoesEstoqueArgs());
  }
}
