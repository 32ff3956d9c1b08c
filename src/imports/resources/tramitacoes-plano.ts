import { TramitacaoPlano } from '../../entities/academico/tramitacao-plano.ts';
import { wholeNumber, year } from '../formats.ts';
import { login } from '../identifiers.ts';
import { Importable } from '../importable.ts';

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
    'planoEnsino.semestre': wholeNumber(1),
    'pessoa.usuario': login,
  },
  // A plan's current step is the step of its latest transition.
  settle: `update plano_ensino p set id_tramitacao_atual = latest.id_etapa, alterado_em = now()
    from (
      select distinct on (m.id_plano_ensino) m.id_plano_ensino, m.id_etapa from tramitacao_plano m
      where m.id_plano_ensino in (select i.id_plano_ensino from linha_lida i)
      order by m.id_plano_ensino, m.data desc, m.id desc
    ) latest
    where p.id = latest.id_plano_ensino and p.id_tramitacao_atual <> latest.id_etapa`,
});
