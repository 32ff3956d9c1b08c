import type { EntityMetadata, MetadataStorage } from '@mikro-orm/core';
import type { GraphQLSchema } from 'graphql';
import { accessOf, type Access, type Session } from '../access/access.ts';
import { mayAct } from '../access/session.ts';
import { linkKey } from '../entities/column.ts';
import { PessoaCadastro } from '../entities/permissoes/pessoa-cadastro.ts';
import type { EntityClass } from '../graph/member.ts';
import { shapesOf } from '../graph/shape.ts';
import type { Scope } from '../listing/list.ts';
import { CHANGED_TABLES, type ChangedTable } from './kinds.ts';

/** The reader of changes: a session, or a person with their current levels. */
export type Follower = Pick<Session, 'idPessoa' | 'everywhere' | 'levels'>;

/** Who may read the changes of a table, and which of its columns. Derived from the list that shows the records. */
export interface Audience {
  /** Class whose list shows the records. */
  entity: EntityClass;
  access: Access;
  /** Conditions on every row of the list. */
  always: Scope;
  /**
   * How to find the owners of records: a path in the list's entity, or SQL that returns id and owner for the ids `$1`.
   */
  owners: { path: string } | { sql: string } | undefined;
  /** Columns of the table that the list shows. */
  columns: ReadonlySet<string>;
}

/** Exceptions for tables whose rights do not follow from the list of their own class. */
interface Other {
  /** The query whose permission is used. */
  query?: string;
  /** The class whose list shows the records, if it is a different class. */
  shownAs?: EntityClass;
  /** The table whose records they belong to. The rights of that table apply. */
  partOf?: ChangedTable;
  always?: Scope;
  ownersSql?: string;
}

const OTHERS: Partial<Record<ChangedTable, Other>> = {
  alteracao_solicitacao: { partOf: 'solicitacao_aprovacao' },
  docente_plano: {
    partOf: 'plano_ensino',
    ownersSql: `select p.id as c0, d.id_pessoa as c1 from docente_plano p
      join docente_plano d on d.id_plano_ensino = p.id_plano_ensino where p.id = any($1::int[])`,
  },
  estorno: { partOf: 'movimentacao' },
  // Everybody may read news that are not withdrawn.
  noticia: { query: 'noticias', always: { retirada: false } },
  pessoa: { shownAs: PessoaCadastro },
  plano_ensino: {
    ownersSql: `select d.id_plano_ensino as c0, d.id_pessoa as c1 from docente_plano d
      where d.id_plano_ensino = any($1::int[])`,
  },
  situacao_atividade_curriculo: { query: 'situacoesAtividadeCurriculo' },
  tramitacao_plano: {
    partOf: 'plano_ensino',
    ownersSql: `select p.id as c0, d.id_pessoa as c1 from tramitacao_plano p
      join docente_plano d on d.id_plano_ensino = p.id_plano_ensino where p.id = any($1::int[])`,
  },
};

export type Audiences = ReadonlyMap<ChangedTable, Audience>;

/** The audience of each table. @throws Error at start for a table without a list */
export function audiencesOf(schema: GraphQLSchema, metadata: MetadataStorage): Audiences {
  const byTable = new Map<string, EntityMetadata>();
  for (const meta of metadata.getAll().values())
    if (!meta.expression && !meta.abstract && meta.tableName) byTable.set(meta.tableName, meta);
  const all = new Map<ChangedTable, Audience>();
  const add = (table: ChangedTable): Audience => {
    const known = all.get(table);
    if (known) return known;
    const other = OTHERS[table] ?? {};
    const found = audienceOf(schema, byTable.get(table)!, other, other.partOf && add(other.partOf));
    all.set(table, found);
    return found;
  };
  for (const table of CHANGED_TABLES) add(table);
  return all;
}

function audienceOf(
  schema: GraphQLSchema,
  meta: EntityMetadata,
  { query, shownAs, always, ownersSql }: Other,
  whole: Audience | undefined,
): Audience {
  const { lists, all } = shapesOf(schema)!;
  const entity = shownAs ?? (meta.class as EntityClass);
  const listed = lists.get(entity);
  const access = query ? accessOf(schema.getQueryType()!.getFields()[query]!) : (whole ?? listed)?.access;
  if (!access) throw new Error(`no list shows ${meta.tableName}: say in changes/ who may read its changes`);
  const path = access.kind === 'own' && !query && !whole ? access.person : undefined;
  return {
    entity,
    access,
    always: always ?? (whole ? {} : (listed?.always ?? {})),
    owners: ownersSql ? { sql: ownersSql } : path ? { path } : undefined,
    columns: new Set(
      all
        .get(entity)!
        .columns.map(({ path }) => columnOf(meta, path))
        .filter(isName),
    ),
  };
}

const isName = (column: string | undefined): column is string => column !== undefined;

/** The column of a property, or of the link that a key names. */
const columnOf = ({ props, properties }: EntityMetadata, property: string): string | undefined =>
  (
    properties[property as never] ??
    props.find(({ name }) => linkKey(name) === property) ?? { fieldNames: [] }
  ).fieldNames[0];

/**
 * Whether a person may list all records. If a list shows only the caller's records but declares no owner, everybody
 * may.
 */
export function mayListAll({ access, owners }: Audience, follower: Follower): boolean {
  const session = follower as Session;
  if (access.kind === 'level') return mayAct(session, access.controller, access.level);
  if (access.kind === 'public') return true;
  return access.readers ? mayAct(session, access.readers, 1) : owners === undefined;
}

/** Whether a person may read any change of a table. */
export const mayFollow = (audience: Audience, follower: Follower): boolean =>
  audience.owners !== undefined || mayListAll(audience, follower);
