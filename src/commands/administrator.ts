import {
  sql,
  UniqueConstraintViolationException,
  type EntityManager,
  type MikroORM,
} from '@mikro-orm/postgresql';
import { hashPassword } from '../access/passwords.ts';
import { digest, newSecret } from '../access/secrets.ts';
import { transactionReader } from '../database/reader.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { ChaveApi } from '../entities/permissoes/chave-api.ts';
import { Credencial } from '../entities/permissoes/credencial.ts';
import { PerfilRecursoItem } from '../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../entities/permissoes/perfil.ts';
import { Permissao } from '../entities/permissoes/permissao.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { Recurso } from '../entities/permissoes/recurso.ts';
import { SERVICE, Sistema } from '../entities/permissoes/sistema.ts';
import { OperatorError } from '../errors.ts';
import type { Applicant } from './applicant.ts';

const EVERYTHING = { nivel: 3, controller: null, situacao: 'A' } as const;

/** In the audit trail, the command has a name of its own instead of a request id. No client waits, so it waits for locks. */
const BEGINNING = `select set_config('sii.requisicao', 'admin:create', true) as c0, set_config('lock_timeout', '1min', true) as c1`;

/** Two runs at once would create the same person twice. */
const ONE_AT_A_TIME = `select id as c0 from sistema where sigla = $1 for no key update`;

/** Shows lines to the operator. An API key appears only in them. */
type Show = (lines: string[]) => Promise<void>;

/**
 * Gives a person every permission of the service, and creates a key for the service if it has none. An existing person
 * keeps name, address and password.
 * @throws OperatorError when another person or a managerial account has the e-mail address; the error of `show`. Nothing is changed then.
 */
export const createAdministrator = (orm: MikroORM, applicant: Applicant, show: Show): Promise<void> =>
  shown(orm, show, async (em, sistema) => {
    const known = await em.findOne(Pessoa, { usuario: applicant.usuario });
    const pessoa = known ?? (await createPerson(em, applicant));
    const keptPassword = await ensurePassword(em, pessoa, applicant.senha);
    await admit(em, pessoa);
    await permit(em, pessoa, await ensureProfile(em, sistema));
    return [
      known
        ? `${pessoa.usuario} already existed${keptPassword ? ' (password unchanged)' : ''} and is an administrator now.`
        : `The administrator ${pessoa.usuario} was created.`,
      (await countLive(em, sistema)) > 0
        ? `The system ${SERVICE} has an API key already. If it was lost: npm run admin:create -- --new-key`
        : await issueKey(em, sistema),
    ];
  });

/**
 * Creates one more key for the service, however many there are: whoever has none cannot log in to revoke those that were lost.
 * @throws the error of `show`. Nothing is changed then.
 */
export const createKey = (orm: MikroORM, show: Show): Promise<void> =>
  shown(orm, show, async (em, sistema) => [
    await issueKey(em, sistema),
    `The system ${SERVICE} has ${await countLive(em, sistema)} valid keys now. Revoke those that are not needed: see "Keys of calling systems" in docs/operations.md.`,
  ]);

/**
 * Works in one transaction, and shows the lines before it is committed. A key that was committed first would be lost if the
 * process ended then.
 */
const shown = (
  orm: MikroORM,
  show: Show,
  work: (em: EntityManager, sistema: Sistema) => Promise<string[]>,
): Promise<void> =>
  orm.em.fork().transactional(async em => {
    const reader = transactionReader(em);
    await reader.rows(BEGINNING, []);
    await reader.rows(ONE_AT_A_TIME, [SERVICE]);
    await show(await work(em, await em.findOneOrFail(Sistema, { sigla: SERVICE })));
  });

/** Who has an address already, by the constraint that says so. */
const HOLDERS: Readonly<Record<string, string>> = {
  pessoa_email_unique: 'Another person',
  endereco_de_um_so: 'A managerial account',
};

async function createPerson(em: EntityManager, { usuario, nome, email }: Applicant): Promise<Pessoa> {
  const pessoa = em.create(Pessoa, { usuario, nome, email });
  await em.flush().catch((error: unknown) => {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const holder = HOLDERS[(error as { constraint?: string }).constraint ?? ''];
    throw new OperatorError(
      holder
        ? `${holder} has the e-mail address ${email}. Nothing was changed.`
        : `${usuario} was created by somebody else at the same time. Nothing was changed. Start again.`,
    );
  });
  return pessoa;
}

/** Sets a password unless there is one. Returns whether there was. */
async function ensurePassword(em: EntityManager, pessoa: Pessoa, senha: string): Promise<boolean> {
  if ((await em.count(Credencial, { pessoa })) > 0) return true;
  em.create(Credencial, { pessoa, senhaHash: await hashPassword(senha) } as never);
  await em.flush();
  return false;
}

async function admit(em: EntityManager, pessoa: Pessoa): Promise<void> {
  const access = (await em.findOne(AcessoAmbiente, { pessoa })) ?? em.create(AcessoAmbiente, { pessoa });
  access.situacao = 'A';
  pessoa.situacao = 'A';
  await em.flush();
}

/** The profile with level 3 on every controller of the service. */
async function ensureProfile(em: EntityManager, sistema: Sistema): Promise<Perfil> {
  const found = await em.findOne(
    PerfilRecursoItem,
    {
      ...EVERYTHING,
      perfilRecurso: {
        perfil: { sistema, situacao: 'A' },
        recurso: { situacao: 'A', sistema: { situacao: 'A' } },
      },
    },
    { populate: ['perfilRecurso.perfil'] },
  );
  if (found) return found.perfilRecurso.perfil;
  const descricao = 'Administra o serviço inteiro';
  const perfil = em.create(Perfil, { nome: 'Administrador', descricao, sistema });
  const recurso = em.create(Recurso, { nome: 'Todo o serviço', tipo: 'G', ordem: 1, sistema });
  const perfilRecurso = em.create(PerfilRecurso, { perfil, recurso });
  em.create(PerfilRecursoItem, { ...EVERYTHING, perfilRecurso, descricao: 'Tudo', ordem: 1 });
  await em.flush();
  return perfil;
}

async function permit(em: EntityManager, pessoa: Pessoa, perfil: Perfil): Promise<void> {
  const permissao =
    (await em.findOne(Permissao, { pessoa, perfil })) ?? em.create(Permissao, { pessoa, perfil });
  permissao.situacao = 'A';
  await em.flush();
}

async function countLive(em: EntityManager, sistema: Sistema): Promise<number> {
  const isValid = { revogadaEm: null, $or: [{ expiraEm: null }, { expiraEm: { $gt: sql.now() } }] };
  return em.count(ChaveApi, { sistema, ...isValid });
}

/** Creates a key. Returns the line that shows it. */
async function issueKey(em: EntityManager, sistema: Sistema): Promise<string> {
  const key = newSecret();
  em.create(ChaveApi, { sistema, hash: digest(key) } as never);
  await em.flush();
  return `API key of the system ${SERVICE}, shown this once: ${key}`;
}
