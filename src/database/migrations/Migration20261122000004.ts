import { Migration } from '@mikro-orm/migrations';

/** Attempts that count: failures within the window, and attempts in flight that have not expired. */
const counted = (column: string): string => `t.${column} = p_${column} and t.estado <> 'entrou' and (
      t.estado = 'falhou' and t.momento > instante - p_janela
      or t.estado = 'em_curso' and t.momento > instante - p_prazo)`;

/** The state of a counter: when its failures fall below the limit again, and whether attempts in flight fill it. */
const counter = (name: string, column: string, limit: string, place: number): string => `
    select '${name}' as nome, ${place} as lugar, count(*) >= ${limit} as cheio,
      (array_agg(t.momento order by t.momento desc) filter (where t.estado = 'falhou'))[${limit}] as volta
    from tentativa_senha t where ${counted(column)}`;

/** Deletes a few rows at a time, so that each attempt deletes more than it adds. */
const sweep = (condition: string): string => `
  delete from tentativa_senha where id in (
    select t.id from tentativa_senha t where ${condition} limit 10 for update skip locked);`;

/** Systems that may call. `own`: columns that only this version has. */
const systems = (
  own: string,
): string => `create or replace view "parametro_acesso_api" as select s.id, s.criado_em, s.alterado_em, s.criado_por, s.alterado_por, s.nome, s.sigla, s.situacao,
  (select se.versao_aplicacao from sessao se where se.id_sistema = s.id order by se.id desc limit 1) as versao,
  (select max(k.ultimo_uso) from chave_api k where k.id_sistema = s.id) as ultimo_uso${own}
from sistema s
where exists (
  select from chave_api k
  where k.id_sistema = s.id and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())
)`;

/**
 * Password attempts, one row each: in flight, failed or successful. The table `tentativa_login` stays for processes of
 * the previous version, until none is running any more. A calling system may have its own limit of failures.
 */
export class Migration20261122000004 extends Migration {
  override up(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''tentativa_login''', '''tentativa_login'', ''tentativa_senha''');
    end $$`);
    this.addSql(`create table tentativa_senha (
      id bigint generated always as identity primary key,
      conta bytea not null,
      par bytea not null,
      origem bytea not null,
      estado text not null default 'em_curso' check (estado in ('em_curso', 'falhou', 'entrou')),
      momento timestamptz not null
    )`);
    this.addSql(`create index tentativa_senha_par on tentativa_senha (par)`);
    this.addSql(`create index tentativa_senha_conta on tentativa_senha (conta) where estado <> 'entrou'`);
    this.addSql(`create index tentativa_senha_origem on tentativa_senha (origem) where estado <> 'entrou'`);
    this.addSql(`create index tentativa_senha_momento on tentativa_senha (estado, momento)`);
    this.addSql(`create function reservar_tentativa(
      p_conta bytea, p_par bytea, p_origem bytea, por_par int, por_conta int, por_origem int, por_origem_conhecida int,
      p_janela interval, p_prazo interval, p_lembrada interval, p_agora timestamptz default null,
      out reservada bigint, out cheia text, out segundos float8
    ) language plpgsql as $$
declare
  a int := hashtext(encode(p_conta, 'hex'));
  b int := hashtext(encode(p_origem, 'hex'));
  instante timestamptz;
  conhecido boolean;
begin
  -- One attempt of an account or an origin is counted at a time; always the smaller key first.
  perform pg_advisory_xact_lock(5119006, least(a, b));
  perform pg_advisory_xact_lock(5119006, greatest(a, b));
  instante := coalesce(p_agora, clock_timestamp());
  ${sweep(`t.estado in ('em_curso', 'falhou') and t.momento < instante - p_janela`)}
  ${sweep(`t.estado = 'entrou' and t.momento < instante - p_lembrada`)}
  conhecido := exists (select from tentativa_senha t
    where t.par = p_par and t.estado = 'entrou' and t.momento > instante - p_lembrada);
  if conhecido then
    por_conta := null;
    por_origem := por_origem_conhecida;
  end if;
  select q.nome, extract(epoch from q.volta + p_janela - instante) into cheia, segundos from (
    ${['par', 'conta', 'origem'].map((name, i) => counter(name, name, `por_${name}`, i)).join('\n    union all')}
  ) q where q.cheio or q.volta is not null order by q.volta desc nulls last, q.lugar limit 1;
  if cheia is null then
    insert into tentativa_senha (conta, par, origem, momento) values (p_conta, p_par, p_origem, instante)
    returning id into reservada;
  end if;
end $$`);
    this.addSql(`alter table "sistema" add column "limite_falhas" int null;`);
    this.addSql(
      `alter table "sistema" add constraint "sistema_limite_falhas_check" check ("limite_falhas" > 0);`,
    );
    this.addSql(systems(',\n  s.limite_falhas'));
  }

  override down(): void {
    this.addSql('drop view "parametro_acesso_api"');
    this.addSql(`alter table "sistema" drop constraint "sistema_limite_falhas_check";`);
    this.addSql(`alter table "sistema" drop column "limite_falhas";`);
    this.addSql(systems(''));
    this.addSql(
      `drop function reservar_tentativa(bytea, bytea, bytea, int, int, int, int, interval, interval, interval, timestamptz)`,
    );
    this.addSql('drop table tentativa_senha');
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''tentativa_senha''', '');
    end $$`);
  }
}
