import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { email, login } from '../formats.ts';
import { Importable } from '../importable.ts';

export const pessoas = new Importable('pessoas', Pessoa, {
  key: ['usuario'],
  columns: ['usuario', 'nome', 'nomeSocial', 'email', 'situacao'],
  formats: { usuario: login, email },
});
