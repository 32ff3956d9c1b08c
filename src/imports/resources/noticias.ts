import { Noticia } from '../../entities/institucional/noticia.ts';
import { link } from '../identifiers.ts';
import { Importable } from '../importable.ts';
import { happened } from '../rules.ts';

export const noticias = new Importable('noticias', Noticia, {
  managedBy: ['institucional/noticias'],
  key: ['link'],
  columns: ['link', 'titulo', 'resumo', 'publicadaEm'],
  formats: { link },
  rules: [happened('publicada_em')],
});
