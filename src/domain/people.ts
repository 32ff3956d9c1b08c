import type { EntityManager } from '@mikro-orm/postgresql';
import { profilesOf } from '../access/grants.ts';
import { ContaGerencial } from '../entities/institucional/conta-gerencial.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { Permissao } from '../entities/permissoes/permissao.ts';
import { PessoaCadastro } from '../entities/permissoes/pessoa-cadastro.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import type { Reader } from '../database/reader.ts';
import { AppError, invalidField, type FieldError } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import { isEmail } from '../text/email.ts';
import { hasHidden, isVisible } from '../text/visible.ts';
import { accountTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { writingAs } from '../request/writing.ts';
import { requireGivable, takeTurn } from './administration.ts';
import { withoutPunctuation } from './cnpj.ts';
import { isCpf } from './cpf.ts';
import { normalised } from '../text/normalised.ts';

/** Whoever may give people access may also look them up. */
export const ACCESS_CONTROLLER = 'permissoes/acesso-ambiente';
export const PERMISSIONS_CONTROLLER = 'permissoes/permissoes';
const PERMISSIONS = { kind: 'level', controller: PERMISSIONS_CONTROLLER, level: 2 } as const;

/** The person who gets access, and the profile. Either `idPessoa` of a known person, or the data of a new one. */
export interface Admission {
  idPessoa?: number | null;
  usuario?: string | null;
  nomeCivil?: string | null;
  nomeSocial?: string | null;
  email?: string | null;
  cpf?: string | null;
  idPerfil: number;
}

const ABOUT = ['usuario', 'nomeCivil', 'nomeSocial', 'email', 'cpf'] as const;

/** The rule over the fields of an admission. */
export function personErrors(given: Admission): FieldError[] {
  if (given.idPessoa != null)
    return ABOUT.filter(field => given[field] != null).map(field => ({
      field,
      message: fieldMessages.notWith('id_pessoa'),
    }));
  const { email, cpf } = given;
  return [
    ...(['usuario', 'email'] as const)
      .filter(field => hasHidden(given[field]?.trim() ?? ''))
      .map(field => ({ field, message: fieldMessages.identifier })),
    ...(email != null && !isEmail(email.trim()) ? [{ field: 'email', message: accountTexts.email }] : []),
    ...(cpf && !isCpf(withoutPunctuation(cpf)) ? [{ field: 'cpf', message: accountTexts.cpf }] : []),
  ];
}

const DISMISSED = {
  id: `select situacao = 'I' from pessoa where id = $1 for share`,
  usuario: `select situacao = 'I' from pessoa where usuario = any($1) order by id for share`,
};

/**
 * Requires that the service has not dismissed a person, or one of several by their user names, whatever an LDAP server
 * says of them, and that nobody dismisses them until the transaction ends. @throws VALIDATION_FAILED for the field
 */
export async function requireNotDismissed(
  reader: Reader,
  { by, value }: { by: 'id'; value: number } | { by: 'usuario'; value: readonly string[] },
  field: string,
): Promise<void> {
  const rows = await reader.rows(DISMISSED[by], [value]);
  if (rows.some(([isDismissed]) => isDismissed))
    throw invalidField('VALIDATION_FAILED', field, accountTexts.dismissed);
}

/**
 * Gives a person access and a profile. Creates the person if they are new. Everything that exists already stays, so the
 * same request can be repeated.
 * @throws FORBIDDEN when the caller does not manage what the person gets, VALIDATION_FAILED, DUPLICATE
 */
export async function admit(call: Call, admission: Admission): Promise<PessoaCadastro> {
  const { context, access } = call;
  await context.caller.authorize(PERMISSIONS);
  const { idPessoa: caller } = await context.session();
  const names = await directoryNames(context, admission);
  return writingAs(call, { locks: [['record', 'administration']] }, async em => {
    await takeTurn(em);
    await context.caller.authorizeAnew(access, em);
    await context.caller.authorizeAnew(PERMISSIONS, em);
    const person = await personOf(em, admission, names, caller);
    const entry = await em.findOne(AcessoAmbiente, { pessoa: person });
    const key = { pessoa: person, perfil: admission.idPerfil };
    const permission = await em.findOne(Permissao, key);
    const isIn = person.situacao === 'A' && entry?.situacao === 'A';
    // With access, all profiles of the person become effective.
    const effective = isIn ? [] : await profilesOf(em, person.id);
    const given = permission?.situacao === 'A' ? [] : [admission.idPerfil];
    await requireGivable(em, caller, [...effective, ...given]);
    const activated = { situacao: 'A', alteradoPor: caller } as const;
    const authors = { criadoPor: caller, alteradoPor: caller };
    if (person.situacao !== 'A') em.assign(person, activated);
    if (!entry) em.create(AcessoAmbiente, { pessoa: person, ...authors });
    else if (entry.situacao !== 'A') em.assign(entry, activated);
    if (!permission) em.create(Permissao, { ...key, ...authors });
    else if (permission.situacao !== 'A') em.assign(permission, activated);
    await em.flush();
    return (await call.written(em, PessoaCadastro, { id: person.id }))!;
  });
}

const KNOWN = 'select 1 from pessoa where usuario = $1';

/**
 * All user names of a new person's entry on an LDAP server. If the entry logs in as several people, a dismissal ends
 * only one of them. @throws VALIDATION_FAILED when their address is that of another entry
 */
async function directoryNames({ services }: Context, { usuario, email }: Admission): Promise<string[]> {
  const { people } = services.directory;
  if (!people || usuario == null) return [];
  const user = normalised(usuario);
  if ((await services.listing.reader.rows(KNOWN, [user])).length > 0) return [];
  const found = await services.directory.entries({ email: email! }, { most: 10 });
  if (found.entries.some(({ users }) => !users.includes(user)))
    throw invalidField('VALIDATION_FAILED', 'email', accountTexts.othersAddress);
  return people.namesOf(user);
}

/** The person of an admission, created if they are new. `names`: all user names of the new person's entry. */
async function personOf(
  em: EntityManager,
  admission: Admission,
  names: readonly string[],
  caller: number,
): Promise<Pessoa> {
  if (admission.idPessoa != null) {
    const known = await em.findOne(Pessoa, admission.idPessoa);
    if (known) return known;
    throw invalidField('VALIDATION_FAILED', 'idPessoa', fieldMessages.unknownReference);
  }
  const about = {
    usuario: normalised(admission.usuario!),
    nomeCivil: admission.nomeCivil!.trim(),
    nomeSocial: isVisible(admission.nomeSocial ?? '') ? admission.nomeSocial!.trim() : null,
    email: normalised(admission.email!),
    cpf: admission.cpf ? withoutPunctuation(admission.cpf) : null,
  };
  const known = await em.findOne(Pessoa, { usuario: about.usuario });
  if (known) {
    const other = ABOUT.filter(field => known[field] !== about[field]);
    if (other.length === 0) return known;
    const errors = [{ field: 'usuario', message: fieldMessages.repeatedValue }];
    throw new AppError('DUPLICATE', { detail: messages.duplicate, errors });
  }
  if ((await em.count(ContaGerencial, { email: about.email })) > 0)
    throw invalidField('VALIDATION_FAILED', 'email', fieldMessages.notAPerson);
  if ((await em.count(Pessoa, { usuario: [...names] })) > 0) {
    const errors = [{ field: 'usuario', message: accountTexts.entryTaken }];
    throw new AppError('DUPLICATE', { detail: messages.duplicate, errors });
  }
  // A trigger sets `nome`.
  const authors = { criadoPor: caller, alteradoPor: caller };
  const person = em.create(Pessoa, { ...about, nome: about.nomeSocial ?? about.nomeCivil, ...authors });
  await em.flush();
  return person;
}
