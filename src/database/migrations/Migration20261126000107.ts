import { Migration } from '@mikro-orm/migrations';

/*
 * What functions that run often cost. PostgreSQL either writes the body of a function in SQL into the statement, or, before
 * version 18, plans it again each time the statement runs. It writes the body only if that is as stable as the function says,
 * and not if it contains a subselect. The plan of a function in PL/pgSQL is kept.
 */

const CHANGES = `
  select coalesce(jsonb_object_agg(campo,
    case when campo ~ 'hash$' then '["***", "***"]'::jsonb else jsonb_build_array(antes -> campo, depois -> campo) end), '{}')
  from jsonb_object_keys(coalesce(antes, depois)) as campo
  where coalesce(antes -> campo, 'null') <> coalesce(depois -> campo, 'null')
    and campo not in ('ultimo_uso', 'versao') and right(campo, 6) <> '_busca'`;

const WHO = ['id_pessoa', 'id_sistema', 'endereco', 'requisicao'].map(
  name => `nullif(current_setting('sii.${name}', true), '')${name.startsWith('id') ? '::int' : ''}`,
);

const PATTERN = `'%' || regexp_replace(fold($1), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;

const changes = (body: string): string =>
  `create or replace function auditoria_alteracoes(antes jsonb, depois jsonb) returns jsonb immutable parallel safe ${body}`;
const who = (body: string): string =>
  `create or replace function auditoria_quem(out id_pessoa int, out id_sistema int, out endereco text, out requisicao text)
  stable ${body}`;
const kept = (body: string): string => `language plpgsql as $$ begin ${body}; end $$`;

/**
 * A statement that has looked up a function's language, and not yet its body, would read the new body in the old language
 * and fail. Only statements that write an entry of the trail call its functions, and all of them hold a lock on it.
 * `contains_pattern` in SQL is called by no running statement, because PostgreSQL writes its body into each.
 */
const WITHOUT_WRITERS = 'lock table only auditoria in share mode';

/** Reads and writes spend less on functions: text that is not stored folded, and the audit trail of each statement. */
export class Migration20261126000107 extends Migration {
  override up(): void {
    this.addSql(WITHOUT_WRITERS);
    // No index needs it as immutable any more: searched text is stored folded.
    this.addSql('alter function fold(text) stable');
    this.addSql(`create or replace function contains_pattern(text) returns text immutable strict parallel safe
      ${kept(`return ${PATTERN}`)}`);
    this.addSql(changes(kept(`return (${CHANGES})`)));
    this.addSql(who(kept(`select ${WHO.join(', ')} into id_pessoa, id_sistema, endereco, requisicao`)));
  }

  override down(): void {
    this.addSql(WITHOUT_WRITERS);
    this.addSql(who(`language sql as $$ select ${WHO.join(', ')} $$`));
    this.addSql(changes(`language sql return (${CHANGES})`));
    // `contains_pattern` stays in PL/pgSQL, because statements that run call it.
    this.addSql('alter function fold(text) immutable');
  }
}
