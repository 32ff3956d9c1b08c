import { authors, type Examples } from './example.ts';

/** Bodies for digital files. */
export const arquivos: Examples = {
  'POST /arquivosdigitais/arquivos-digitais': {
    body: {
      ...authors,
      id_tabela_origem: 3,
      nome_tabela_origem: 'material',
      nome: 'Aviso.txt',
      tipo_mime: 'text/plain',
      conteudo: 'TWFudGVyIGxvbmdlIGRvIGZvZ28uCg==',
    },
  },
};
