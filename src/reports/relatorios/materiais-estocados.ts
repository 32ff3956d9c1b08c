import { Entity } from '@mikro-orm/decorators/legacy';
import { Int, ObjectType } from 'type-graphql';
import { Column } from '../../entities/column.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Cell, report, snakeFilters } from '../report.ts';
import { ReportRow } from '../row.ts';

/** The cells of the ledger. Joined so that a count does without what it does not look at. */
const EXPRESSION = `
select e.id, e.id_lote, l.id_material, m.titulo, m.descricao, m.numero_cas, u.sigla as unid_medida,
  f.nome as fabricante, l.cod_lote, l.data_venc, e.id_local_fim as id_local_responsavel, r.nome as local_responsavel,
  e.id_local_armazenado, a.nome as local_armazenado, e.quantidade, e.quantidade = 0 as vazio
from estoque e
left join lote l on l.id = e.id_lote
left join material m on m.id = l.id_material
left join unidade_medida u on u.id = m.id_unidade_medida
left join empresa f on f.id = l.id_fabricante
left join "local" r on r.id = e.id_local_fim
left join "local" a on a.id = e.id_local_armazenado`;

@Entity({ expression: EXPRESSION })
@ObjectType({ description: 'How much of a batch is at a place.', simpleResolvers: true })
export class MaterialEstocado extends ReportRow {
  @Column('integer', { description: 'Key of the batch' })
  idLote!: number;

  @Column('integer', { description: 'Key of the material' })
  idMaterial!: number;

  @Cell('text', { title: 'Material', description: 'Name as catalogued', width: 34 })
  titulo!: string;

  @Cell('text', { title: 'Descrição', description: 'What the material is', width: 40 })
  descricao!: string;

  @Cell('text', { title: 'Número CAS', description: 'CAS registry number', nullable: true, width: 12 })
  numeroCas!: string | null;

  @Cell('text', { title: 'Fabricante', description: 'Manufacturer', nullable: true, width: 26 })
  fabricante!: string | null;

  @Cell('text', { title: 'Lote', description: "Manufacturer's code of the batch", nullable: true, width: 16 })
  codLote!: string | null;

  @Column('date', { description: 'Day on which the batch expires', nullable: true })
  dataVenc!: string | null;

  @Column('integer', { description: 'Key of the location that answers for it' })
  idLocalResponsavel!: number;

  @Cell('text', { title: 'Local responsável', description: 'Location that answers for it', width: 28 })
  localResponsavel!: string;

  @Column('integer', { description: 'Key of the location where it is stored' })
  idLocalArmazenado!: number;

  @Cell('text', { title: 'Local de armazenamento', description: 'Location where it is stored', width: 28 })
  localArmazenado!: string;

  @Cell('integer', {
    title: 'Quantidade',
    description: 'How much, in the unit of the material',
    width: 12,
    total: true,
  })
  quantidade!: number;

  @Cell('text', { title: 'Unidade', description: 'Unit of the quantity', width: 9 })
  unidMedida!: string;

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

export const MateriaisEstocadosResolver = report(MaterialEstocado, MateriaisEstocadosArgs, {
  id: 7,
  path: 'almoxarifado-quimicos/materiais-estocados',
  title: 'Materiais estocados',
  description: 'What is in stock: how much of which batch is where',
  totalsBy: ['unidMedida'],
  spelled: { ...snakeFilters(MateriaisEstocadosArgs), retornarVazio: 'retornarVazio' },
});
