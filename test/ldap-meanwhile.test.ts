/** What happens in the service while an LDAP server is slow to make a change. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeOf } from '../src/directory/ldap-search.ts';
import type { Answer, Client } from './support/client.ts';
import { mailOf, onLdap } from './support/directories.ts';
import { ACCOUNTS_DN, hasSlapd, USERS_DN } from './support/ldap-server.ts';
import { grant, makePerson, personOf } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { beforeNextChange } from './support/slow-directory.ts';

const PATH = '/institucional/usuarios-ldap';

describe.runIf(hasSlapd())('while an LDAP server makes a change', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  let admin: Client;
  const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;
  const dnOf = (usuario: string): string => `uid=${usuario},${USERS_DN}`;
  const account = (...responsaveis: string[]): Promise<string> =>
    directory.addAccount(unique('conta'), { nome: 'Conta', responsaveis });
  const handOver = (email: string, body: object): Promise<Answer> =>
    admin.put(`/institucional/contas-gerenciais/${email}`, body);
  const dismiss = async (usuario: string): Promise<Answer> =>
    admin.delete(`/permissoes/pessoas/${await personOf(directory.service, usuario)}`);
  const newCode = async (email: string, client = admin): Promise<string> =>
    (await client.put(`${PATH}/${email}?gerarCodigoCvr=true`)).body.codigo_cvr;
  const attach = (usuario: string, email: string, cvr: string): Promise<Answer> =>
    admin.put(`${PATH}/${mailOf(usuario)}?adicionarContaGerencialCvr=${email}`, { cvr });
  const holdersOf = async (email: string): Promise<string[]> =>
    (await admin.get(`${PATH}/${email}`)).body.responsaveis.map((one: { email: string }) => one.email);
  /** Changes the holders of an account on the server, as another service would. */
  const changeHolder = (operation: 'add' | 'delete', email: string, usuario: string): Promise<void> =>
    directory.server.asRoot(client =>
      client.modify(
        `uid=${email.split('@')[0]},${ACCOUNTS_DN}`,
        changeOf(operation, 'manager', dnOf(usuario)),
      ),
    );
  const somebody = async (): Promise<string> => {
    const usuario = unique('alguem');
    await directory.server.add(USERS_DN, usuario, { mail: mailOf(usuario) });
    await makePerson(directory.service, usuario);
    return usuario;
  };

  beforeAll(async () => {
    directory = await onLdap({ LDAP_TIMEOUT_MS: '3000' });
    admin = await directory.service.as('admin');
    // A first one takes longer, and the server has little time.
    await dismiss(await somebody());
  });
  afterAll(() => directory?.stop());

  describe('that gives an account to somebody', () => {
    it('a dismissal of them comes first: the account stays with whom it was', async () => {
      const person = await somebody();
      const email = await account('tecnico');
      beforeNextChange(() => dismiss(person));
      const answer = await handOver(email, { para: mailOf(person) });
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual(['para']);
      expect(await holdersOf(email)).toEqual([mailOf('tecnico')]);
      const trail = await directory.trail(email);
      const confirmed = trail.filter(({ confirmada }) => (confirmada as boolean[] | undefined)?.[1]);
      expect(confirmed).toHaveLength(2);
    });

    it('by a code, a dismissal of them comes first as well', async () => {
      const person = await somebody();
      const email = await account();
      const cvr = await newCode(email);
      beforeNextChange(() => dismiss(person));
      const answer = await attach(person, email, cvr);
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual(['email']);
      expect(await holdersOf(email)).toEqual([]);
    });

    it('a code that the former holder makes ends with the change', async () => {
      const back = await grant(directory.service, 'docente', {
        controller: 'institucional/usuarios-ldap',
        nivel: 2,
      });
      const docente = await directory.service.as('docente');
      const email = await account('docente');
      let cvr = '';
      beforeNextChange(async () => (cvr = await newCode(email, docente)));
      expect((await handOver(email, { para: mailOf('tecnico') })).status).toBe(200);
      expect(cvr).toMatch(/\w/);
      expect(fieldsOf(await attach('discente', email, cvr))).toEqual(['cvr']);
      await back();
    });
  });

  it('the end of the session that asked for it comes too late: the trail says that it was made', async () => {
    const email = await account('tecnico');
    const own = await directory.service.anyone.login('admin');
    beforeNextChange(async () => own.graphql('mutation { sair }'));
    const path = `${PATH}/${email}?editarContasGerenciais=true`;
    expect((await own.put(path, { descricao: 'mudada' })).status).toBe(200);
    expect((await own.get(PATH)).status).toBe(401);
    const trail = await directory.trail(email);
    expect(trail.filter(({ confirmada }) => (confirmada as boolean[] | undefined)?.[1])).toHaveLength(1);
  });

  it('a dismissal also takes what its person got after it began', async () => {
    const person = await somebody();
    const [first, second] = [await account(person), await account('tecnico')];
    const { directory: port } = directory.service.services;
    const detach = port.detach.bind(port);
    vi.spyOn(port, 'detach').mockImplementationOnce(async (...dismissal) => {
      await changeHolder('add', second, person);
      return detach(...dismissal);
    });
    const { status, body } = await dismiss(person);
    const taken = body.contas_gerenciais.map(({ email }: { email: string }) => email);
    expect([status, taken.toSorted()]).toEqual([200, [first, second].toSorted()]);
    expect(await holdersOf(second)).toEqual([mailOf('tecnico')]);
  });

  it('that somebody else has made already, the answer is a conflict, and not that it is away', async () => {
    const email = await account('docente');
    const give = (usuario: string) => handOver(email, { de: mailOf('docente'), para: mailOf(usuario) });
    beforeNextChange(() => give('discente'));
    expectProblem(await give('tecnico'), 409, 'CONFLICT');
    expect(await holdersOf(email)).toEqual([mailOf('discente')]);
  });

  it('of an account that is deleted meanwhile, the answer is a conflict', async () => {
    const email = await account('docente');
    beforeNextChange(() =>
      directory.server.asRoot(client => client.del(`uid=${email.split('@')[0]},${ACCOUNTS_DN}`)),
    );
    expectProblem(await handOver(email, { para: mailOf('tecnico') }), 409, 'CONFLICT');
  });

  it('that takes an account from somebody who has lost it, a dismissal goes on with their others', async () => {
    const person = await somebody();
    const emails = [await account(person, 'tecnico'), await account(person, 'tecnico')];
    beforeNextChange(() => Promise.all(emails.map(email => changeHolder('delete', email, person))));
    expect((await dismiss(person)).status).toBe(200);
    for (const email of emails) expect(await holdersOf(email)).toEqual([mailOf('tecnico')]);
  });
});
