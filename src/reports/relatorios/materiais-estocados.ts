import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { Column } from '../../entities/column.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { ReportRow } from '../row.ts';
import { BATCH, batchOf, PLACES, placesAt, storeroomReport } from '../storeroom.ts';
import * as cells from '../storeroom-cells.ts';

/**
 * The cells of the ledger. Left joins let PostgreSQL drop unused tables from a count. Inner joins let it find the first
 * cells in the order of the materials.
 */
const EXPRESSION = `
select e.id, e.id_lote, ${BATCH}, l.data_venc, ${PLACES},
  e.id_local_fim as id_local_responsavel, e.id_local_armazenado, e.quantidade, e.quantidade = 0 as vazio
from estoque e
${batchOf('e', 'join')}
${placesAt('e.id_local_fim', 'e.id_local_armazenado')}`;

@Entity({ expression: EXPRESSION })
@ObjectType({ description: 'How much of a batch is at a place.', simpleResolvers: true })
export class MaterialEstocado extends ReportRow {
  @Column('integer', { description: 'Key of the batch' })
  idLote!: number;

  @cells.IdMaterial() idMaterial!: number;
  @cells.Titulo(34) titulo!: string;
  @cells.Descricao() descricao!: string;
  @cells.NumeroCas() numeroCas!: string | null;
  @cells.Fabricante(26) fabricante!: string | null;
  @cells.CodLote("Manufacturer's code of the batch", 16) codLote!: string | null;

  @Column('date', { description: 'Day on which the batch expires', nullable: true })
  dataVenc!: string | null;

  @cells.IdLocalResponsavel() idLocalResponsavel!: number;
  @cells.LocalResponsavel('Location that answers for it', 28) localResponsavel!: string;
  @cells.IdLocalArmazenado() idLocalArmazenado!: number;
  @cells.LocalArmazenado('Location where it is stored', 28) localArmazenado!: string;
  @cells.Quantidade('integer', 12) quantidade!: number;
  @cells.UnidMedida() unidMedida!: string;

  @Column('boolean', { description: 'Whether nothing is left there' })
  vazio!: boolean;
}

@List(() => MaterialEstocado, { paging: 'always', usually: ['titulo'] })
export class MateriaisEstocadosArgs extends ListArgs {
  @Filter(() => String, ['titulo', 'descricao']) material?: string;
  @Filter(() => String, 'numeroCas', { match: 'exact' }) numeroCas?: string;
  @Filter(() => String, 'unidMedida') unidMedida?: string;
  @Filter(() => String, 'fabricante') fabricante?: string;
  @Filter(() => String, 'localArmazenado') localArmazenado?: string;
  @Filter(() => String, 'localResponsavel') localResponsavel?: string;
  @Filter(() => String, 'codLote', { match: 'exact' }) codLote?: string;
  @Filter(() => Int, 'quantidade') quantidade?: number;
  @Filter(() => Boolean, 'vazio', {
    value: (shown: boolean) => (shown ? undefined : false),
    default: false,
    title: 'Estoques vazios',
    description: 'Whether to show places where nothing is left, too',
    words: 'Se mostra também os locais em que não sobrou nada',
  })
  retornarVazio?: boolean;

  @OrderBy('titulo') orderByTitulo?: Ordem;
  @OrderBy('descricao') orderByDescricao?: Ordem;
  @OrderBy('numeroCas') orderByNumeroCas?: Ordem;
  @OrderBy('unidMedida') orderByUnidMedida?: Ordem;
  @OrderBy('fabricante') orderByFabricante?: Ordem;
  @OrderBy('localArmazenado') orderByLocalArmazenado?: Ordem;
  @OrderBy('localResponsavel') orderByLocalResponsavel?: Ordem;
  @OrderBy('codLote') orderByCodLote?: Ordem;
  @OrderBy('quantidade') orderByQuantidade?: Ordem;
}

export const MateriaisEstocadosResolver = storeroomReport(MaterialEstocado, MateriaisEstocadosArgs, {
  id: 7,
  path: 'almoxarifado-quimicos/materiais-estocados',
  title: 'Materiais estocados',
  description: 'What is in stock: how much of which batch is where',
  spelled: { retornarVazio: 'retornarVazio' },
});
