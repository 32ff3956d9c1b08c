import { ContaGerencial } from '../../entities/institucional/conta-gerencial.ts';
import { login, ownEmail } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';

const noPersons: Rule = {
  columns: ['email'],
  expected: {
    pt: 'um endereço que nenhuma pessoa tem',
    en: 'an address that no person has',
  },
  broken: 'exists (select from pessoa p where p.email = s.email)',
};

/** Managerial accounts of the directory in the database. They get no password: people claim them with a code. */
export const contasGerenciais = new Importable('contas-gerenciais', ContaGerencial, {
  managedBy: ['institucional/usuarios-ldap'],
  key: ['email'],
  columns: ['email', 'nome', 'descricao', 'suspensa', 'responsaveis.pessoa.usuario'],
  formats: { email: ownEmail, 'responsaveis.pessoa.usuario': login },
  rules: [noPersons],
});
