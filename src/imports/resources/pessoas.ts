import { takeTurn } from '../../domain/administration.ts';
import { ADMINISTRATORS } from '../../access/grants.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { cpf, login, ownEmail } from '../formats.ts';
import { Importable, type Rule } from '../importable.ts';

/** Whoever the file leaves active. */
const remains = `not exists (select from importacao i where i.usuario = left_over.usuario and i.situacao = 'I')`;

const lastAdministrator: Rule = {
  columns: ['situacao'],
  expected: 'A, since nobody else would remain who manages the service',
  broken: `s.situacao = 'I' and t.id in (${ADMINISTRATORS}) and not exists (
    select from pessoa left_over where left_over.id in (${ADMINISTRATORS}) and ${remains}
  )`,
  first: takeTurn,
};

const noAccounts: Rule = {
  columns: ['email'],
  expected: 'what is no address of a managerial account',
  broken: 'exists (select from conta_gerencial c where c.email = s.email)',
};

export const pessoas = new Importable('pessoas', Pessoa, {
  key: ['usuario'],
  columns: ['usuario', 'nome', 'nomeSocial', 'email', 'cpf', 'situacao'],
  formats: { usuario: login, email: ownEmail, cpf },
  rules: [lastAdministrator, noAccounts],
  // A session that was open when the person left must not work again if they come back.
  settle: `update sessao set encerrada_em = now() where encerrada_em is null and id_pessoa in (
    select p.id from pessoa p join importacao i on i.usuario = p.usuario where p.situacao = 'I'
  )`,
});
