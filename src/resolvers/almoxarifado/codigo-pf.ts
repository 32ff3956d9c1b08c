import { InputType } from 'type-graphql';
import { CodigoPf } from '../../entities/almoxarifado/codigo-pf.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => CodigoPf, { paging: 'optional' })
export class CodigosPfArgs extends ListArgs {
  @Filter(() => String, 'codigo', { match: 'exact' }) codigo?: string;
  @Filter(() => String, 'nome') nome?: string;

  @OrderBy('nome') orderByNome?: Ordem;
}

@InputType({ description: 'A code of the Federal Police.' })
export class CodigoPfInput {
  @FieldOf(CodigoPf) codigo!: string;
  @FieldOf(CodigoPf) nome!: string;
  @FieldOf(CodigoPf) lista?: CodigoPf['lista'];
}

export const CodigoPfResolver = resource(CodigoPf, 'almoxarifadoquimicos/codigos-pf', {
  codigosPf: list(CodigosPfArgs, 'Codes of the Federal Police for controlled chemicals'),
  codigoPf: one('One code; null when there is none with this id'),
  criarCodigoPf: create(CodigoPfInput, 'Adds a code'),
  atualizarCodigoPf: update(CodigoPfInput, 'Changes a code'),
  excluirCodigoPf: remove('Deletes a code and answers it as it stood'),
});
