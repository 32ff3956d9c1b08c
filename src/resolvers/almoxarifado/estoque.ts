import { Min } from 'class-validator';
import { Arg, InputType, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { enterStock } from '../../domain/movements.ts';
import { Estoque } from '../../entities/almoxarifado/estoque.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, one, resource } from '../resource.ts';

@List(() => Estoque, { paging: 'default' })
export class EstoquesArgs extends ListArgs {
  @Filter(() => Int, 'idLocalFim') idLocalFim?: number;
  @Filter(() => Int, 'idLocalArmazenado') idLocalArmazenado?: number;
  @Filter(() => Int, 'lote.idMaterial') idMaterial?: number;
  @Filter(() => String, 'lote.material.titulo') titulo?: string;
  @Filter(() => String, 'lote.material.descricao') descricao?: string;
  @Filter(() => String, 'lote.material.numeroCas', { match: 'exact' }) cas?: string;
  @Filter(() => String, 'lote.material.catmat', { match: 'exact' }) catmat?: string;
  @Filter(() => Int, 'lote.material.idTipoControle') idTipoControle?: number;

  @OrderBy('lote.material.titulo') orderByMaterial?: Ordem;
  @OrderBy('lote.material.catmat') orderByCatmat?: Ordem;
  @OrderBy('lote.material.numeroCas') orderByCas?: Ordem;
  @OrderBy('quantidade') orderByQuantidade?: Ordem;
  @OrderBy('lote.material.unidadeMedida.descricao') orderByUnidadeMedida?: Ordem;
}

@InputType({ description: 'Stock that is entered without an invoice.' })
export class EstoqueInput {
  @FieldOf(Estoque) idLote!: number;
  @FieldOf(Estoque) idLocalFim!: number;
  @FieldOf(Estoque) idLocalArmazenado!: number;
  @FieldOf(Estoque) @Min(1) quantidade!: number;
}

const CONTROLLER = 'almoxarifadoquimicos/estoques';

export const EstoqueResolver = resource(Estoque, CONTROLLER, {
  estoques: list(EstoquesArgs, 'How much of which batch is where'),
  estoque: one('The stock of a batch at a place; null when it has never been there', {
    idLote: { description: 'Batch' },
    idLocalFim: { description: 'Location that answers for it' },
    idLocalArmazenado: { description: 'Location where it is stored' },
  }),
});

@Resolver()
export class EntradaEstoqueResolver {
  @Requires(CONTROLLER, 2)
  @Mutation(() => Estoque, {
    description:
      'Enters stock by a movement and answers its place; that of a controlled material after approval',
  })
  criarEstoque(
    @Arg('input', () => EstoqueInput, { description: 'The stock' }) input: EstoqueInput,
    @TheCall() call: Call,
  ): Promise<Estoque> {
    return enterStock(call, input);
  }
}
