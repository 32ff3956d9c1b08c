import { IsIn, MaxLength, Min } from 'class-validator';
import { Field, InputType, Int } from 'type-graphql';
import { placeErrors, takesFromStock } from '../../domain/movement.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { TipoMovimentacao } from '../../entities/almoxarifado/tipo-movimentacao.ts';
import { flags, type Flag } from '../../entities/column.ts';
import type { FieldError } from '../../errors.ts';
import { fieldMessages } from '../../messages.ts';
import { Present, References, Rule } from '../../request/validation.ts';
import { LoteDeMaterialInput } from './lote.ts';

/** What a movement says of itself, when it is created and when it is changed. */
@InputType({ description: 'Places, remark and direction of a movement.' })
abstract class MovimentacaoBaseInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Location that answered for it before; kinds 3, 4 and 5 need it',
  })
  @References(() => Local)
  idLocalOrigemFim?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Location that answers for it afterwards; kinds 1, 2 and 3 need it',
  })
  @References(() => Local)
  idLocalDestinoFim?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Location where it was stored; the responsible one when absent',
  })
  @References(() => Local)
  idLocalOrigemArm?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Location where it is stored afterwards; the responsible one when absent',
  })
  @References(() => Local)
  idLocalDestinoArm?: number | null;

  @Field(() => String, { nullable: true, description: 'Remark' })
  @MaxLength(500)
  observacao?: string | null;

  @Field(() => String, { description: '`S` for a reversal, which has the opposite effect; `N` otherwise' })
  @IsIn(flags)
  flEstorno!: Flag;
}

const neededPlaces = (input: MovimentacaoInput): FieldError[] => [
  ...placeErrors(input.idTipoMovimentacao, input),
  ...(input.idLote == null && input.lote == null
    ? [{ field: 'idLote', message: fieldMessages.required }]
    : []),
  ...(input.idLote == null && input.lote && takesFromStock(input)
    ? [{ field: 'lote', message: fieldMessages.onlyWithEntry }]
    : []),
];

@Rule(neededPlaces)
@InputType({ description: 'A movement of stock.' })
export class MovimentacaoInput extends MovimentacaoBaseInput {
  @Field(() => Int, { nullable: true, description: 'Batch that moves; null for a new one, given in `lote`' })
  @References(() => Lote)
  @Present()
  idLote?: number | null;

  @Field(() => Int, {
    description: 'Kind: 1 entry with an invoice, 2 other entry, 3 transfer, 4 consumption, 5 disposal',
  })
  @References(() => TipoMovimentacao)
  idTipoMovimentacao!: number;

  @Field(() => Int, { description: 'How much, in the unit of the material' })
  @Min(1)
  quantidade!: number;

  @Field(() => Int, { nullable: true, description: 'Invoice with which it came' })
  @References(() => NotaFiscal)
  idNotaFiscal?: number | null;

  @Field(() => LoteDeMaterialInput, { nullable: true, description: 'The batch that is created with it' })
  lote?: LoteDeMaterialInput | null;
}

const someMovement = ({ movimentacoes }: MovimentacoesInput): FieldError[] =>
  movimentacoes?.length ? [] : [{ field: 'movimentacoes', message: fieldMessages.atLeastOne }];

@Rule(someMovement)
@InputType({ description: 'Movements that are registered together, all or none.' })
export class MovimentacoesInput {
  @Field(() => [MovimentacaoInput], { nullable: true, description: 'At least one movement' })
  movimentacoes?: MovimentacaoInput[] | null;
}

@InputType({ description: 'What may change of a pending movement; its kind stays.' })
export class MovimentacaoUpdateInput extends MovimentacaoBaseInput {
  @Field(() => Int, { description: 'Batch that moves' })
  @References(() => Lote)
  idLote!: number;

  @Field(() => Int, { nullable: true, description: 'How much, in the unit of the material' })
  @Min(1)
  quantidade?: number | null;

  @Field(() => LoteDeMaterialInput, { nullable: true, description: 'Changes the batch with it' })
  lote?: LoteDeMaterialInput | null;
}
