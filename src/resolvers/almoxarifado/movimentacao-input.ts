import { ArrayMinSize, Max, Min } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { placeErrors, takesFromStock } from '../../domain/movement.ts';
import { Movimentacao } from '../../entities/almoxarifado/movimentacao.ts';
import type { Flag } from '../../entities/column.ts';
import type { FieldError } from '../../errors.ts';
import { fieldMessages } from '../../messages.ts';
import { inputTexts } from '../messages.ts';
import { Either, Present, Rule } from '../../request/validation.ts';
import { FieldOf } from '../field-of.ts';
import { LoteDeMaterialInput } from './lote.ts';

/** The fields of a movement that both creation and update take. */
@InputType({ description: 'Places, remark and direction of a movement.' })
abstract class MovimentacaoBaseInput {
  @FieldOf(Movimentacao, { description: 'Location that answered for it before; kinds 3, 4 and 5 need it' })
  idLocalOrigemFim?: number | null;

  @FieldOf(Movimentacao, { description: 'Location that answers for it afterwards; kinds 1, 2 and 3 need it' })
  idLocalDestinoFim?: number | null;

  @FieldOf(Movimentacao, { description: 'Location where it was stored; the responsible one when absent' })
  idLocalOrigemArm?: number | null;

  @FieldOf(Movimentacao, {
    description: 'Location where it is stored afterwards; the responsible one when absent',
  })
  idLocalDestinoArm?: number | null;

  @FieldOf(Movimentacao) observacao?: string | null;
  @FieldOf(Movimentacao) @Min(1) @Max(5) finalidade?: number | null;
  @FieldOf(Movimentacao) flEstorno!: Flag;

  @FieldOf(Movimentacao, {
    nullable: true,
    description: 'Whether the batch shall leave although it has expired; see `EXPIRED_STOCK`',
  })
  cienteVencimento?: boolean | null;
}

const neededPlaces = (input: MovimentacaoInput): FieldError[] => [
  ...placeErrors(input.idTipoMovimentacao, input),
  ...(input.idLote == null && input.lote && takesFromStock(input)
    ? [{ field: 'lote', message: inputTexts.onlyWithEntry }]
    : []),
];

@Either<MovimentacaoInput>(['lote'], ['idLote'])
@Rule(neededPlaces)
@InputType({ description: 'A movement of stock.' })
export class MovimentacaoInput extends MovimentacaoBaseInput {
  @FieldOf(Movimentacao, {
    nullable: true,
    description: 'Batch that moves; null for a new one, given in `lote`',
  })
  @Present()
  idLote?: number | null;

  @FieldOf(Movimentacao, {
    description: 'Kind: 1 entry with an invoice, 2 other entry, 3 transfer, 4 consumption, 5 disposal',
  })
  idTipoMovimentacao!: number;

  @FieldOf(Movimentacao) @Min(1) quantidade!: number;
  @FieldOf(Movimentacao) idNotaFiscal?: number | null;

  @Field(() => LoteDeMaterialInput, {
    nullable: true,
    description: 'The batch that is created with it, or what the named batch is',
  })
  lote?: LoteDeMaterialInput | null;
}

const someMovement = ({ movimentacoes }: MovimentacoesInput): FieldError[] =>
  movimentacoes ? [] : [{ field: 'movimentacoes', message: fieldMessages.atLeastOne }];

@Rule(someMovement)
@InputType({ description: 'Movements that are registered together, all or none.' })
export class MovimentacoesInput {
  @Field(() => [MovimentacaoInput], { nullable: true, description: 'At least one movement' })
  @ArrayMinSize(1)
  movimentacoes?: MovimentacaoInput[] | null;
}

@InputType({ description: 'What may change of a pending movement; its kind stays.' })
export class MovimentacaoUpdateInput extends MovimentacaoBaseInput {
  @FieldOf(Movimentacao) idLote!: number;
  @FieldOf(Movimentacao, { nullable: true }) @Min(1) quantidade?: number | null;

  @Field(() => LoteDeMaterialInput, {
    nullable: true,
    description: 'Changes the batch, if the movement brought it, or with level 2 on batches',
  })
  lote?: LoteDeMaterialInput | null;
}
