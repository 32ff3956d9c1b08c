import { ACCESS_CONTROLLER, PERMISSIONS_CONTROLLER } from '../../domain/people.ts';
import { takeTurn } from '../../domain/administration.ts';
import { ADMINISTRATORS, couldGrantBeyond, grantsBeyond } from '../../access/grants.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { nameWithCommas } from '../formats.ts';
import { cpf, login, ownEmail } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';
import { AUTHOR } from '../sql.ts';

/** SQL condition: the person `left_over` stays active after the import. */
const remains = `not exists (select from linha_lida i where i.usuario = left_over.usuario and i.situacao = 'I')`;

const lastAdministrator: Rule = {
  columns: ['situacao'],
  expected: {
    pt: 'A, porque é preciso restar ao menos um administrador que possa entrar',
    en: 'A, because at least one administrator must remain who can log in',
  },
  broken: `s.situacao = 'I' and t.id in (${ADMINISTRATORS}) and not exists (
    select from pessoa left_over where left_over.id in (${ADMINISTRATORS}) and ${remains}
  )`,
  first: takeTurn,
};

const noAccounts: Rule = {
  columns: ['email'],
  expected: {
    pt: 'um endereço que nenhuma conta gerencial tem',
    en: 'an address that no managerial account has',
  },
  broken: 'exists (select from conta_gerencial c where c.email = s.email)',
  first: takeTurn,
};

const oneProfile: Rule = {
  columns: ['perfil'],
  expected: {
    pt: 'o nome de exatamente um perfil ativo',
    en: 'the name of exactly one active profile',
  },
  broken: `s.perfil is not null
    and (select count(*) from perfil f where f.nome = s.perfil and f.situacao = 'A') <> 1`,
  first: takeTurn,
};

const activeOnly: Rule = {
  columns: ['perfil'],
  expected: {
    pt: 'nenhum perfil para uma pessoa cuja situacao é I',
    en: 'no profile for a person whose situacao is I',
  },
  // In a file without that column, people keep theirs.
  broken: `s.perfil is not null and coalesce(to_jsonb(s) ->> 'situacao', t.situacao) = 'I'`,
};

/**
 * A file of people as they once were must not give back what somebody has taken away since. A row that makes a person active
 * may.
 */
const nothingTaken: Rule = {
  columns: ['perfil'],
  expected: {
    pt: 'uma pessoa de quem não foi tirado o acesso nem este perfil: quem pode os devolve com POST /permissoes/pessoas',
    en: 'a person whose access and profile were not taken away: who may gives them back with POST /permissoes/pessoas',
  },
  broken: `s.perfil is not null and t.situacao = 'A' and (
    exists (select from acesso_ambiente a where a.id_pessoa = t.id and a.situacao = 'I')
    or exists (
      select from permissao m join perfil f on f.id = m.id_perfil
      where m.id_pessoa = t.id and f.nome = s.perfil and f.situacao = 'A' and m.situacao = 'I'))`,
};

/** With access, the person's existing profiles become effective. */
const notBeyond: Rule = {
  columns: ['perfil'],
  expected: {
    pt: 'um perfil do qual quem importa administra tudo, e uma pessoa que não tem outro',
    en: 'a profile of which the person who imports manages everything, and a person who has no other one',
  },
  broken: `s.perfil is not null and ${AUTHOR} is not null and exists (
    select from perfil f left join permissao m on m.id_perfil = f.id and m.id_pessoa = t.id and m.situacao = 'A'
    where (f.nome = s.perfil and m.id is null or m.id is not null and not exists (
        select from acesso_ambiente a where a.id_pessoa = t.id and a.situacao = 'A'))
      and ${grantsBeyond('f.id', AUTHOR)})`,
};

/** Whoever changes an address or a CPF, or deactivates a person, could become that person or lock them out. */
const notAbove: Rule = {
  columns: ['usuario'],
  expected: {
    pt: 'a pessoa como está: só a muda quem administra tudo o que ela pode',
    en: 'the person as they are: only who manages everything that they may do changes them',
  },
  broken: `${AUTHOR} is not null and t.id <> ${AUTHOR} and exists (
      select from jsonb_each(to_jsonb(s)) given where jsonb_exists(to_jsonb(t), given.key)
        and to_jsonb(t) -> given.key is distinct from given.value)
    and exists (
      select from permissao m where m.id_pessoa = t.id and ${couldGrantBeyond('m.id_perfil', AUTHOR)})`,
  first: takeTurn,
};

/** SQL of the rows that give somebody access: `p` is the person, `f` the profile. */
const ADMITTED = `from linha_lida i join pessoa p on p.usuario = i.usuario join perfil f on f.nome = i.perfil
  where f.situacao = 'A'`;

export const pessoas = new Importable('pessoas', Pessoa, {
  managedBy: [ACCESS_CONTROLLER, PERMISSIONS_CONTROLLER],
  key: ['usuario'],
  columns: ['usuario', 'nomeCivil', 'nomeSocial', 'email', 'cpf', 'situacao'],
  headers: { nomeCivil: 'nome' },
  formats: { usuario: login, email: ownEmail, cpf },
  beside: {
    perfil: {
      format: nameWithCommas,
      changes: `s.perfil is not null and not exists (
        select from permissao m join perfil f on f.id = m.id_perfil join acesso_ambiente a on a.id_pessoa = m.id_pessoa
        where m.id_pessoa = t.id and f.nome = s.perfil and m.situacao = 'A' and a.situacao = 'A')`,
    },
  },
  rules: [lastAdministrator, noAccounts, oneProfile, activeOnly, nothingTaken, notBeyond, notAbove],
  // Open sessions of people who left must not become valid again if they come back, and they may have given somebody a code:
  // of their accounts, or one that they made. The holders of accounts on an LDAP server are not known here. Codes are locked
  // after people, as where somebody redeems one. A profile gives its person access. Conflicts lock their rows, which logins need, so only what is missing is inserted.
  settle: `with ended as (
    update sessao set encerrada_em = now() where encerrada_em is null and id_pessoa in (
      select p.id from pessoa p join linha_lida i on i.usuario = p.usuario where p.situacao = 'I'
    )
  ), gone as (
    select p.id from linha_lida i join pessoa p on p.usuario = i.usuario
    where p.situacao = 'I' and p.alterado_em = now()::timestamptz(3)
  ), spent as (
    update codigo_cvr v set usado_em = now(), alterado_em = now()
    where v.usado_em is null and (v.alterado_por in (select id from gone) or v.conta in (
      select c.email from gone join responsavel_conta r on r.id_pessoa = gone.id join conta_gerencial c on c.id = r.id_conta))
  ), admitted as (
    insert into acesso_ambiente (id_pessoa, criado_por, alterado_por) select p.id, ${AUTHOR}, ${AUTHOR} ${ADMITTED}
      and not exists (select from acesso_ambiente a where a.id_pessoa = p.id and a.situacao = 'A')
    on conflict (id_pessoa) do update set situacao = 'A', alterado_em = now(), alterado_por = ${AUTHOR}
    where acesso_ambiente.situacao <> 'A'
  )
  insert into permissao (id_pessoa, id_perfil, criado_por, alterado_por)
  select p.id, f.id, ${AUTHOR}, ${AUTHOR} ${ADMITTED}
    and not exists (select from permissao m where m.id_pessoa = p.id and m.id_perfil = f.id and m.situacao = 'A')
  on conflict (id_pessoa, id_perfil) do update set situacao = 'A', alterado_em = now(), alterado_por = ${AUTHOR}
  where permissao.situacao <> 'A'`,
});
