import { TramitacaoPlano } from '../../entities/academico/tramitacao-plano.ts';
import { semester, year } from '../formats.ts';
import { login } from '../identifiers.ts';
import { Importable } from '../importable.ts';
import { happened, LATEST } from '../rules.ts';
import { AUTHOR } from '../sql.ts';

export const tramitacoesPlano = new Importable('tramitacoes-plano', TramitacaoPlano, {
  managedBy: ['academico/planos-ensino'],
  key: ['planoEnsino', 'etapa', 'data'],
  columns: [
    'planoEnsino.codigoDisciplina',
    'planoEnsino.curso.codigo',
    'planoEnsino.ano',
    'planoEnsino.semestre',
    'etapa.descricao',
    'data',
    'pessoa.usuario',
    'observacao',
  ],
  formats: {
    'planoEnsino.ano': year,
    'planoEnsino.semestre': semester,
    'pessoa.usuario': login,
  },
  rules: [happened('data')],
  // A plan's current step is the step of its latest transition. There may be older records of the future.
  settle: `update plano_ensino p set id_tramitacao_atual = latest.id_etapa, alterado_em = now(),
      alterado_por = coalesce(${AUTHOR}, p.alterado_por)
    from (
      select distinct on (m.id_plano_ensino) m.id_plano_ensino, m.id_etapa from tramitacao_plano m
      where m.id_plano_ensino in (select i.id_plano_ensino from linha_lida i) and m.data <= ${LATEST}
      order by m.id_plano_ensino, m.data desc, m.id desc
    ) latest
    where p.id = latest.id_plano_ensino and p.id_tramitacao_atual <> latest.id_etapa`,
});
