import { Migration } from '@mikro-orm/migrations';

/** What is later was stored by a clock that was ahead. An attempt may fail a little after `instante`. */
const LATEST = `instante + interval '1 minute'`;

/** Deletes a few rows at a time, so that each attempt deletes more than it adds. */
const sweep = (condition: string): string => `
  delete from tentativa_senha where id in (
    select t.id from tentativa_senha t where ${condition} limit 10 for update skip locked);`;

/** What the function did not do before: SQL that counts no attempts of later moments, and deletes them. */
interface Bounds {
  counted: string;
  momento: string;
  swept: string;
}

const NONE: Bounds = { counted: '', momento: 't.momento', swept: '' };
const BOUNDS: Bounds = {
  counted: ` and t.momento <= ${LATEST}`,
  momento: 'least(t.momento, instante)',
  swept: sweep(`t.estado in ('em_curso', 'falhou') and t.momento > ${LATEST}`),
};

/** The state of a counter: when its failures fall below the limit again, and whether attempts in flight fill it. */
const counter = (name: string, place: number, { counted, momento }: Bounds): string => `
    select '${name}' as nome, ${place} as lugar, count(*) >= por_${name} as cheio,
      (array_agg(${momento} order by t.momento desc) filter (where t.estado = 'falhou'))[por_${name}] as volta
    from tentativa_senha t where t.${name} = p_${name} and t.estado <> 'entrou'${counted} and (
      t.estado = 'falhou' and t.momento > instante - p_janela
      or t.estado = 'em_curso' and t.momento > instante - p_prazo)`;

const reserve = (bounds: Bounds): string => `create or replace function reservar_tentativa(
      p_conta bytea, p_par bytea, p_origem bytea, por_par int, por_conta int, por_origem int, por_origem_conhecida int,
      p_janela interval, p_prazo interval, p_lembrada interval, p_agora timestamptz default null,
      out reservada bigint, out cheia text, out segundos float8
    ) language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
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
  ${sweep(`t.estado in ('em_curso', 'falhou') and t.momento < instante - p_janela`)}${bounds.swept}
  ${sweep(`t.estado = 'entrou' and t.momento < instante - p_lembrada`)}
  conhecido := exists (select from tentativa_senha t
    where t.par = p_par and t.estado = 'entrou' and t.momento > instante - p_lembrada);
  if conhecido then
    por_conta := null;
    por_origem := por_origem_conhecida;
  end if;
  select q.nome, extract(epoch from q.volta + p_janela - instante) into cheia, segundos from (
    ${['par', 'conta', 'origem'].map((name, i) => counter(name, i, bounds)).join('\n    union all')}
  ) q where q.cheio or q.volta is not null order by q.volta desc nulls last, q.lugar limit 1;
  if cheia is null then
    insert into tentativa_senha (conta, par, origem, momento) values (p_conta, p_par, p_origem, instante)
    returning id into reservada;
  end if;
end $$`;

/** After the clock was ahead, failures of that time lock nobody, and attempts of that time take no places. */
export class Migration20261127000118 extends Migration {
  override up(): void {
    this.addSql(reserve(BOUNDS));
  }

  override down(): void {
    this.addSql(reserve(NONE));
  }
}
