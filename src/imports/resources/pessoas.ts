import { takeTurn } from '../../domain/administration.ts';
import { ADMINISTRATORS } from '../../access/grants.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { cpf, login, ownEmail } from '../formats.ts';
import { Importable, type Rule } from '../importable.ts';

/** SQL condition: the person `left_over` stays active after the import. */
const remains = `not exists (select from importacao i where i.usuario = left_over.usuario and i.situacao = 'I')`;

const lastAdministrator: Rule = {
  columns: ['situacao'],
  expected: 'A, because at least one administrator must remain',
  broken: `s.situacao = 'I' and t.id in (${ADMINISTRATORS}) and not exists (
    select from pessoa left_over where left_over.id in (${ADMINISTRATORS}) and ${remains}
  )`,
  first: takeTurn,
};

const noAccounts: Rule = {
  columns: ['email'],
  expected: 'an address that no managerial account has',
  broken: 'exists (select from conta_gerencial c where c.email = s.email)',
};

export const pessoas = new Importable('pessoas', Pessoa, {
  key: ['usuario'],
  columns: ['usuario', 'nomeCivil', 'nomeSocial', 'email', 'cpf', 'situacao'],
  headers: { nomeCivil: 'nome' },
  formats: { usuario: login, email: ownEmail, cpf },
  rules: [lastAdministrator, noAccounts],
  // Open sessions of people who left must not work again if they come back.
  settle: `update sessao set encerrada_em = now() where encerrada_em is null and id_pessoa in (
    select p.id from pessoa p join importacao i on i.usuario = p.usuario where p.situacao = 'I'
  )`,
});
