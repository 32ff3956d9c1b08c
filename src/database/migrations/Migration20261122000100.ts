import { Migration } from '@mikro-orm/migrations';

/** Searched columns by which lists can be ordered. */
const COLUMNS = [
  ['codigo_pf', 'nome'],
  ['controller', 'nome'],
  ['curso', 'modalidade'],
  ['curso', 'nome'],
  ['empresa', 'nome'],
  ['etapa_tramitacao', 'descricao'],
  ['funcionario', 'natureza_juridica'],
  ['funcionario', 'nome_civil'],
  ['funcionario', 'nome_social'],
  ['local', 'nome'],
  ['material', 'titulo'],
  ['nota_fiscal', 'processo_sei'],
  ['perfil', 'nome'],
  ['pessoa', 'nome'],
  ['plano_ensino', 'nome_disciplina'],
  ['recurso', 'nome'],
  ['situacao_atividade_curriculo', 'sigla'],
  ['situacao_atividade_curriculo', 'situacao'],
  ['tipo_controle', 'descricao'],
] as const;

/**
 * The index of an order also stores the folded text of its column. A page of a search that many rows match is found by
 * reading that index alone, without the rows that do not match.
 */
export class Migration20261122000100 extends Migration {
  override up(): void {
    this.replace(column => ` include ("${column}_busca")`);
  }

  override down(): void {
    this.replace(() => '');
  }

  /** All are built before the first old one is dropped: building blocks only writers, dropping also readers. */
  private replace(included: (column: string) => string): void {
    for (const [table, column] of COLUMNS)
      this.addSql(
        `create index "${table}_${column}_new" on "${table}" ("${column}" collate "pt_br", "id")${included(column)}`,
      );
    for (const [table, column] of COLUMNS) {
      this.addSql(`drop index "${table}_${column}_sort"`);
      this.addSql(`alter index "${table}_${column}_new" rename to "${table}_${column}_sort"`);
    }
  }
}
