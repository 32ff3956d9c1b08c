import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { semester, wholeNumber, year } from '../formats.ts';
import { login } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';
import { LATEST } from '../rules.ts';

const latestStep: Rule = {
  columns: ['id_tramitacao_atual'],
  expected: {
    pt: 'a etapa da última tramitação do plano',
    en: "the step of the plan's latest tramitacao",
  },
  broken: `s.id_tramitacao_atual <> (
    select m.id_etapa from tramitacao_plano m where m.id_plano_ensino = t.id and m.data <= ${LATEST}
    order by m.data desc, m.id desc limit 1
  )`,
};

export const planosEnsino = new Importable('planos-ensino', PlanoEnsino, {
  managedBy: ['academico/planos-ensino'],
  key: ['codigoDisciplina', 'curso', 'ano', 'semestre'],
  columns: [
    'codigoDisciplina',
    'curso.codigo',
    'ano',
    'semestre',
    'nomeDisciplina',
    'departamento.sigla',
    'cargaHoraria',
    'situacao.codigo',
    'tramitacaoAtual.descricao',
    'docentes.pessoa.usuario',
    'ementa',
    'objetivos',
    'programa',
    'metodologia',
    'avaliacao',
    'bibliografiaBasica',
    'bibliografiaComplementar',
  ],
  formats: {
    ano: year,
    semestre: semester,
    cargaHoraria: wholeNumber(0),
    'docentes.pessoa.usuario': login,
  },
  rules: [latestStep],
});
