import { Collection, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, flags, Link, LinkBy, type Flag } from '../column.ts';
import { Derived, Via } from '../computed.ts';
import { Many } from '../many.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { Estorno } from './estorno.ts';
import { PURPOSES, purposes } from './finalidade.ts';
import { Local } from './local.ts';
import { Lote } from './lote.ts';
import { Material } from './material.ts';
import { NotaFiscal } from './nota-fiscal.ts';
import { StatusMovimentacao } from './status-movimentacao.ts';
import { TipoMovimentacao } from './tipo-movimentacao.ts';
import { UnidadeMedida } from './unidade-medida.ts';

/**
 * A fact of the ledger. An effective movement never changes; another movement reverses it. Triggers store how much of
 * it is reversed.
 */
@Entity()
@Check({ name: 'movimentacao_finalidade_check', expression: PURPOSES })
@Check({ name: 'movimentacao_quantidade_check', expression: '"quantidade" >= 1' })
@Check({
  name: 'movimentacao_estornada_check',
  expression:
    '"quantidade_estornada" >= 0 and "quantidade_em_estorno" >= 0 and "quantidade_estornada" + "quantidade_em_estorno" <= "quantidade"',
})
// People look at the movements that they registered, newest first.
@Index({ properties: ['criadoPor', 'data'] })
// Reports look up, for each row, when its batch entered stock. A partial index contains only the entries, which are
// few.
@Index({
  name: 'movimentacao_entrada',
  expression:
    'create index "movimentacao_entrada" on "movimentacao" ("id_lote", "data") where "id_tipo_movimentacao" in (1, 2) and "id_status_movimentacao" = 2 and "fl_estorno" = \'N\'',
})
// A reversal looks for what it undoes, newest first, while it holds the lock of the batch.
@Index({ properties: ['lote', 'id'] })
@ObjectType({ description: 'A movement of stock.', simpleResolvers: true })
export class Movimentacao extends Registro {
  // A batch can be deleted while its own entry is its only movement (a trigger checks that). Then both are deleted.
  @Link(() => Lote, { description: 'Batch that moves', owner: true, index: false })
  lote!: Lote;

  @Link(() => TipoMovimentacao, { description: 'Kind of movement' })
  tipoMovimentacao!: TipoMovimentacao;

  @Link(() => StatusMovimentacao, { description: '1 pending, 2 effective, 3 rejected' })
  statusMovimentacao!: StatusMovimentacao;

  @Link(() => Local, { description: 'Location that answered for it before', nullable: true })
  localOrigemFim!: Local | null;

  @Link(() => Local, { description: 'Location that answers for it afterwards', nullable: true })
  localDestinoFim!: Local | null;

  @Link(() => Local, { description: 'Location where it was stored', nullable: true })
  localOrigemArm!: Local | null;

  @Link(() => Local, { description: 'Location where it is stored afterwards', nullable: true })
  localDestinoArm!: Local | null;

  @Column('integer', { description: 'How much, in the unit of the material' })
  quantidade!: number;

  @Column('text', { description: 'Remark', max: 500, nullable: true })
  observacao!: string | null;

  @Column('integer', {
    description: `Purpose of a consumption of a controlled material: ${purposes}. That of the location when absent`,
    nullable: true,
  })
  finalidade!: number | null;

  @Column('text', {
    description: 'Whether it is a reversal, which has the opposite effect',
    max: 1,
    oneOf: flags,
    default: 'N',
  })
  flEstorno!: Flag;

  @Column('integer', { description: 'How much of it reversals have undone', default: 0 })
  quantidadeEstornada!: Opt<number>;

  @Column('integer', {
    description: 'How much of it is reserved by reversals that wait for approval',
    default: 0,
  })
  quantidadeEmEstorno!: Opt<number>;

  @Many(() => Estorno, 'movimentacao', 'What it undoes, if it is a reversal', { unless: ['flEstorno'] })
  estornos = new Collection<Estorno>(this);

  @Many(() => Estorno, 'estornada', 'Reversals that undo it, or wait to', {
    unless: ['quantidadeEstornada', 'quantidadeEmEstorno'],
  })
  estornadaPor = new Collection<Estorno>(this);

  @Link(() => NotaFiscal, { description: 'Invoice with which it came', nullable: true })
  notaFiscal!: NotaFiscal | null;

  @Column('timestamp', { description: 'When it was registered', sort: true, stamp: 'created' })
  data!: Opt<Date>;

  @Column('boolean', {
    description: 'Whether who registered it said that they know of the expiry of the batch',
    default: false,
  })
  cienteVencimento!: Opt<boolean>;

  @Column('boolean', {
    description: 'Whether the batch had expired when it left a place other than by disposal',
    default: false,
  })
  loteVencido!: Opt<boolean>;

  @Derived(
    () => [String],
    ['id', 'loteVencido'],
    'What to mind of a movement that was just registered, changed or approved; else null',
  )
  avisos?: string[] | null;

  @Via(() => Material, 'lote.material', 'What moves')
  material?: Opt<Material>;

  @Via(() => UnidadeMedida, 'lote.material.unidadeMedida', 'Unit of the quantity')
  unidadeMedida?: Opt<UnidadeMedida>;

  @LinkBy('criadoPor', () => Pessoa, 'Who registered it')
  autor?: Opt<Pessoa> | null;
}
