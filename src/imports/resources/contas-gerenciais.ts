import { DIRECTORY_CONTROLLER } from '../../directory/accounts.ts';
import { takeTurn } from '../../domain/administration.ts';
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
  first: takeTurn,
};

const noneDismissed: Rule = {
  columns: ['responsaveis'],
  expected: {
    pt: 'pessoas ativas, além de quem já responde pela conta',
    en: 'active people, besides those who hold the account already',
  },
  broken: `exists (
    select from pessoa p where p.id = any(s.responsaveis_ids) and p.situacao = 'I'
      and not exists (select from responsavel_conta r where r.id_conta = t.id and r.id_pessoa = p.id)
  )`,
  first: takeTurn,
};

/** Managerial accounts of the directory in the database. They get no password: people claim them with a code. */
export const contasGerenciais = new Importable('contas-gerenciais', ContaGerencial, {
  managedBy: [DIRECTORY_CONTROLLER],
  ofDirectory: true,
  key: ['email'],
  columns: ['email', 'nome', 'descricao', 'suspensa', 'responsaveis.pessoa.usuario'],
  formats: { email: ownEmail, 'responsaveis.pessoa.usuario': login },
  rules: [noPersons, noneDismissed],
  // Who no longer holds an account may know its code. A suspended account has none. A file may lack these columns.
  prepare: `update codigo_cvr v set usado_em = now(), alterado_em = now()
    from linha_lida s join conta_gerencial t on t.email = s.email
    where v.conta = t.email and v.usado_em is null and (
      to_jsonb(s) ->> 'suspensa' = 'true'
      or jsonb_exists(to_jsonb(s), 'responsaveis_ids') and exists (
        select from responsavel_conta r
        where r.id_conta = t.id and not to_jsonb(s) -> 'responsaveis_ids' @> to_jsonb(r.id_pessoa)))`,
});
