import { VinculoDiscente } from '../../entities/academico/vinculo-discente.ts';
import { wholeNumber, year } from '../formats.ts';
import { digits, login } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const vinculosDiscente = new Importable('vinculos-discente', VinculoDiscente, {
  managedBy: ['academico/vinculo-discente'],
  key: ['matricula', 'vinculo'],
  columns: [
    'matricula',
    'vinculo',
    'pessoa.usuario',
    'nivelCurso',
    'anoIngresso',
    'curso',
    'situacao',
    'habilitado',
  ],
  formats: {
    matricula: digits,
    vinculo: wholeNumber(1),
    'pessoa.usuario': login,
    nivelCurso: wholeNumber(1, 4),
    anoIngresso: year,
  },
});
