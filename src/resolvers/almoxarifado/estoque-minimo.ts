import { Min } from 'class-validator';
import { Arg, InputType, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { setMinimum } from '../../domain/minimums.ts';
import { EstoqueMinimo } from '../../entities/almoxarifado/estoque-minimo.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, one, remove, resource } from '../resource.ts';

@List(() => EstoqueMinimo, { paging: 'default' })
export class EstoquesMinimosArgs extends ListArgs {
  @Filter(() => Int, 'idMaterial') idMaterial?: number;
  @Filter(() => Int, 'idLocal') idLocal?: number;

  @OrderBy('material.titulo') orderByMaterial?: Ordem;
  @OrderBy('quantidade') orderByQuantidade?: Ordem;
}

@InputType({ description: 'How much of a material a location wants to have at least.' })
export class EstoqueMinimoInput {
  @FieldOf(EstoqueMinimo) idMaterial!: number;
  @FieldOf(EstoqueMinimo) idLocal!: number;
  @FieldOf(EstoqueMinimo) @Min(1) quantidade!: number;
}

const CONTROLLER = 'almoxarifadoquimicos/estoques-minimos';

export const EstoqueMinimoResolver = resource(EstoqueMinimo, CONTROLLER, {
  estoquesMinimos: list(EstoquesMinimosArgs, 'Minimum quantities of materials by location'),
  estoqueMinimo: one('One minimum quantity; null when there is none with this id'),
  removerEstoqueMinimo: remove('Removes a minimum quantity and answers it as it stood'),
});

@Resolver()
export class DefinicaoEstoqueMinimoResolver {
  @Requires(CONTROLLER, 2)
  @Mutation(() => EstoqueMinimo, {
    description: 'Sets the minimum quantity of a material at a location, in place of the one that it had',
  })
  definirEstoqueMinimo(
    @Arg('input', () => EstoqueMinimoInput, { description: 'The minimum quantity' })
    input: EstoqueMinimoInput,
    @TheCall() call: Call,
  ): Promise<EstoqueMinimo> {
    return setMinimum(call, input);
  }
}
