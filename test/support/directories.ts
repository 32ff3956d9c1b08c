import { hashPassword } from '../../src/access/passwords.ts';
import { demoRecords } from '../../src/demo/files.ts';
import { ACCOUNTS_DN, LdapServer, USERS_DN } from './ldap-server.ts';
import { startService, type TestService } from './service.ts';

interface NewAccount {
  nome: string;
  descricao?: string;
  senha?: string;
  suspensa?: boolean;
  /** User names of those who hold it. */
  responsaveis?: string[];
}

/** A service with the demo's people and managerial accounts in one type of directory. */
export interface TestDirectory {
  service: TestService;
  /** Creates an account `<usuario>@universidade.example`. Returns its address. */
  addAccount: (usuario: string, account: NewAccount) => Promise<string>;
  /** Recorded changes of an entry, newest last: the changed attributes, and whether the change is confirmed. */
  trail: (email: string) => Promise<Record<string, unknown>[]>;
  stop: () => Promise<void>;
}

export const mailOf = (usuario: string): string => `${usuario}@universidade.example`;
const personDn = (usuario: string): string => `uid=${usuario},${USERS_DN}`;

/** The directory in the service's own database. */
export async function inDatabase(): Promise<TestDirectory> {
  const service = await startService();
  return {
    service,
    stop: () => service.stop(),
    async addAccount(usuario, { nome, descricao = null, senha, suspensa = false, responsaveis = [] }) {
      const hash = senha === undefined ? null : await hashPassword(senha);
      await service.sql(
        `with account as (
           insert into conta_gerencial (email, nome, descricao, senha_hash, suspensa) values ($1, $2, $3, $4, $5) returning id
         )
         insert into responsavel_conta (id_conta, id_pessoa)
         select account.id, p.id from account, pessoa p where p.usuario = any($6::text[])`,
        [mailOf(usuario), nome, descricao, hash, suspensa, responsaveis],
      );
      return mailOf(usuario);
    },
    trail: email => changesOf(service, 'conta_gerencial', email),
  };
}

async function addTo(server: LdapServer, usuario: string, account: NewAccount): Promise<string> {
  const { nome, descricao, senha, suspensa, responsaveis = [] } = account;
  await server.add(ACCOUNTS_DN, usuario, {
    cn: nome,
    mail: mailOf(usuario),
    ...(descricao && { description: descricao }),
    ...(senha && { userPassword: senha }),
    ...(suspensa && { businessCategory: 'suspensa' }),
    ...(responsaveis.length > 0 && { manager: responsaveis.map(personDn) }),
  });
  return mailOf(usuario);
}

/** Adds the people of a database with demo data, and the demo's managerial accounts, to the server. */
export async function addDemoEntries(
  server: LdapServer,
  sql: (text: string) => Promise<unknown[][]>,
): Promise<void> {
  const people = await sql(
    `select usuario, nome_civil, cpf, situacao, exists (select from credencial c where c.id_pessoa = p.id) from pessoa p`,
  );
  for (const [usuario, nome, cpf, situacao, hasPassword] of people as [
    string,
    string,
    string | null,
    string,
    boolean,
  ][])
    await server.add(USERS_DN, usuario, {
      cn: nome,
      mail: mailOf(usuario),
      ...(cpf && { employeeType: cpf }),
      ...(hasPassword && { userPassword: 'not the one of the service' }),
      ...(situacao === 'I' && { businessCategory: 'suspensa' }),
    });
  const passwords = new Map((await demoRecords('senhas-contas')).map(({ email, senha }) => [email, senha]));
  for (const { email, nome, descricao, suspensa, responsaveis } of await demoRecords('contas-gerenciais')) {
    const senha = passwords.get(email);
    await addTo(server, email!.split('@')[0]!, {
      nome: nome!,
      suspensa: suspensa === 'sim',
      responsaveis: responsaveis?.split(', ') ?? [],
      ...(descricao && { descricao }),
      ...(senha && { senha }),
    });
  }
}

/** The same data on a real LDAP server. */
export async function onLdap(
  environment: Record<string, string> = {},
): Promise<TestDirectory & { server: LdapServer }> {
  const server = await LdapServer.start();
  const service = await startService({ ...server.environment, ...environment });
  const addAccount: TestDirectory['addAccount'] = (usuario, account) => addTo(server, usuario, account);
  await addDemoEntries(server, text => service.sql(text));
  return {
    service,
    server,
    addAccount,
    trail: email => changesOf(service, 'alteracao_diretorio', email),
    async stop() {
      await service.stop();
      await server.end();
    },
  };
}

/** Entries of the audit trail about an address, with their authors. */
async function changesOf(
  service: TestService,
  table: string,
  email: string,
): Promise<Record<string, unknown>[]> {
  const rows = await service.sql(
    `select alteracoes, p.usuario from auditoria a left join pessoa p on p.id = a.id_pessoa
     where a.tabela = $1 and a.id_registro in (select id from ${table} where email = $2) order by a.id`,
    [table, email],
  );
  return rows.map(([alteracoes, usuario]) => ({ ...(alteracoes as object), usuario }));
}
