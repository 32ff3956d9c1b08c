import { takeTurn } from '../../domain/administration.ts';
import { LABORATORIES_CONTROLLER } from '../../domain/managers.ts';
import { ResponsavelLaboratorio } from '../../entities/almoxarifado/responsavel-laboratorio.ts';
import { login } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';

const notBackwards: Rule = {
  columns: ['data_inicio', 'data_fim'],
  expected: { pt: 'um fim que não vem antes do início', en: 'an end that does not come before the start' },
  broken: 's.data_fim < s.data_inicio',
};

/**
 * SQL of the terms in the file that are not refused yet. Where it has no last day, because it has no such column, a term keeps that
 * of its record.
 */
const TERMS = `(
    select i.linha, i.id_local, i.id_pessoa, i.data_inicio, greatest(i.data_inicio, coalesce(
      case when jsonb_exists(to_jsonb(i), 'data_fim') then (to_jsonb(i) ->> 'data_fim')::date else r.data_fim end,
      'infinity')) as data_fim
    from linha_lida i left join responsavel_laboratorio r
      on r.id_local = i.id_local and r.id_pessoa = i.id_pessoa and r.data_inicio = i.data_inicio
    where not i.recusada
  )`;

/**
 * A term has no other one of the same person at the same place meanwhile: neither a record, unless a row changes it, nor a row
 * that begins before it. All of them are sorted once, because their pairs may be millions. A record whose row is refused here
 * stays as it is, and may be in the way of other rows.
 */
const oneTermAtATime: Rule = {
  columns: ['id_local', 'id_pessoa', 'data_inicio'],
  expected: {
    pt: 'um período que não se sobrepõe a outro da mesma pessoa no mesmo local',
    en: 'a period that does not overlap another one of the same person at the same place',
  },
  broken: `s.linha in (
    select linha from (
      select term.*, max(data_fim) over (of_both range between unbounded preceding and interval '1 day' preceding) as before,
        min(data_inicio) filter (where linha is null) over (of_both range between interval '1 day' following
          and unbounded following) as next
      from (
        select * from ${TERMS} term
        union all
        select null, r.id_local, r.id_pessoa, r.data_inicio, coalesce(r.data_fim, 'infinity')
        from responsavel_laboratorio r where (r.id_local, r.id_pessoa) in (select id_local, id_pessoa from linha_lida)
          and (r.id_local, r.id_pessoa, r.data_inicio) not in (
            select id_local, id_pessoa, data_inicio from linha_lida
            where not recusada and id_local is not null and id_pessoa is not null and data_inicio is not null)
      ) term window of_both as (partition by id_local, id_pessoa order by data_inicio)
    ) term where data_inicio <= before or data_fim >= next
  )`,
  again: true,
};

const notDismissed: Rule = {
  columns: ['id_pessoa', 'data_inicio'],
  expected: {
    pt: 'uma pessoa ativa, ou um período que já terminou',
    en: 'an active person, or a period that has ended',
  },
  broken: `s.linha in (
    select term.linha from ${TERMS} term join pessoa p on p.id = term.id_pessoa
    where p.situacao = 'I' and term.data_fim >= current_date
  )`,
  first: takeTurn,
};

export const responsaveisLaboratorio = new Importable('responsaveis-laboratorio', ResponsavelLaboratorio, {
  managedBy: [LABORATORIES_CONTROLLER],
  key: ['local', 'pessoa', 'dataInicio'],
  columns: ['local.sigla', 'pessoa.usuario', 'dataInicio', 'dataFim'],
  formats: { 'pessoa.usuario': login },
  rules: [notBackwards, notDismissed, oneTermAtATime],
});
