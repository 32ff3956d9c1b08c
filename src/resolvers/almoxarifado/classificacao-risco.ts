import { InputType } from 'type-graphql';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => ClassificacaoRisco, { paging: 'optional' })
export class ClassificacoesRiscoArgs extends ListArgs {
  @OrderBy('iconeRisco.nome') orderByPictograma?: Ordem;
  @OrderBy('risco') orderByRisco?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
}

@InputType({ description: 'A hazard class.' })
export class ClassificacaoRiscoInput extends AuthorsInput {
  @FieldOf(ClassificacaoRisco) idIconeRisco!: number;
  @FieldOf(ClassificacaoRisco) risco!: string;
  @FieldOf(ClassificacaoRisco) descricao?: string | null;
  @FieldOf(ClassificacaoRisco) palavraAdvertencia?: ClassificacaoRisco['palavraAdvertencia'];
  @FieldOf(ClassificacaoRisco) precaucao?: string | null;
}

export const ClassificacaoRiscoResolver = resource(
  ClassificacaoRisco,
  'almoxarifadoquimicos/classificacoes-risco',
  {
    classificacoesRisco: list(ClassificacoesRiscoArgs, 'Hazard classes'),
    classificacaoRisco: one('One hazard class; null when there is none with this id'),
    criarClassificacaoRisco: create(ClassificacaoRiscoInput, 'Adds a hazard class'),
    atualizarClassificacaoRisco: update(ClassificacaoRiscoInput, 'Changes a hazard class'),
    excluirClassificacaoRisco: remove('Deletes a hazard class and answers it as it stood'),
  },
);
