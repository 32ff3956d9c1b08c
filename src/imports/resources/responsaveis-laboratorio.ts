import { ResponsavelLaboratorio } from '../../entities/almoxarifado/responsavel-laboratorio.ts';
import { login } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';

const oneTermAtATime: Rule = {
  columns: ['id_local', 'id_pessoa', 'data_inicio', 'data_fim'],
  expected: {
    pt: 'um período que não se sobrepõe a outro da mesma pessoa no mesmo local',
    en: 'a period that does not overlap another one of the same person at the same place',
  },
  broken: `exists (
    select from responsavel_laboratorio r
    where r.id_local = s.id_local and r.id_pessoa = s.id_pessoa and r.data_inicio <> s.data_inicio
      and daterange(r.data_inicio, r.data_fim, '[]') && daterange(s.data_inicio, s.data_fim, '[]')
  )`,
};

export const responsaveisLaboratorio = new Importable('responsaveis-laboratorio', ResponsavelLaboratorio, {
  managedBy: ['almoxarifadoquimicos/responsaveis-laboratorio'],
  key: ['local', 'pessoa', 'dataInicio'],
  columns: ['local.sigla', 'pessoa.usuario', 'dataInicio', 'dataFim'],
  formats: { 'pessoa.usuario': login },
  rules: [oneTermAtATime],
});
