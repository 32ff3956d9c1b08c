import { IsNotEmpty, MaxLength } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { References } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => ClassificacaoRisco, { paging: 'optional' })
export class ClassificacoesRiscoArgs extends ListArgs {
  @OrderBy('iconeRisco.nome') orderByPictograma?: Ordem;
  @OrderBy('risco') orderByRisco?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
}

@InputType({ description: 'A hazard class.' })
export class ClassificacaoRiscoInput extends AuthorsInput {
  @Field(() => Int, { description: 'Pictogram that shows it' })
  @References(() => IconeRisco)
  idIconeRisco!: number;

  @Field(() => String, { description: 'Name of the hazard' })
  @IsNotEmpty()
  @MaxLength(200)
  risco!: string;

  @Field(() => String, { nullable: true, description: 'What it means for whoever handles the material' })
  @MaxLength(1000)
  descricao?: string | null;
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
