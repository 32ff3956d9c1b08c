import { Curso } from '../../entities/academico/curso.ts';
import { Importable } from '../importable.ts';

export const cursos = new Importable('cursos', Curso, {
  managedBy: ['academico/planos-ensino'],
  key: ['codigo'],
  columns: ['codigo', 'nome', 'modalidade'],
});
