import { hashPassword } from '../../access/passwords.ts';
import { AcessoAmbiente } from '../../entities/permissoes/acesso-ambiente.ts';
import { Credencial } from '../../entities/permissoes/credencial.ts';
import { Perfil } from '../../entities/permissoes/perfil.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Sessao } from '../../entities/permissoes/sessao.ts';
import { SERVICE, Sistema } from '../../entities/permissoes/sistema.ts';
import type { Random } from './random.ts';
import { LOGIN_DAYS, type CampusSize } from './size.ts';
import type { Transaction } from './stock.ts';
import { DAY_MS } from '../calendar.ts';

/** The password of every person of the campus. */
export const CAMPUS_PASSWORD = 'demo-campus-2026';

/** Records of one transaction. */
const PER_TRANSACTION = 2_000;
const HOUR_MS = 3_600_000;

/** Gives access to all people who have none: one password for everybody, a profile for technicians. Returns their ids. */
export async function grantAccess(
  transaction: Transaction,
  progress: (done: number) => void,
): Promise<number[]> {
  // All share one hash, because 40,000 hashes take minutes.
  const senhaHash = await hashPassword(CAMPUS_PASSWORD);
  const { people, perfil } = await transaction(async em => ({
    people: await em.execute<{ id: number; usuario: string }[]>(
      `select id, usuario from pessoa p where situacao = 'A' and not exists (select from acesso_ambiente where id_pessoa = p.id) order by id`,
    ),
    perfil: await em.findOneOrFail(Perfil, { nome: 'Consulta de químicos' }),
  }));
  for (let from = 0; from < people.length; from += PER_TRANSACTION) {
    const some = people.slice(from, from + PER_TRANSACTION);
    await transaction(async em => {
      await em.insertMany(
        AcessoAmbiente,
        some.map(({ id }) => ({ pessoa: id, situacao: 'A' as const })),
      );
      await em.insertMany(Credencial, some.map(({ id }) => ({ pessoa: id, senhaHash })) as never);
      const technicians = some.filter(({ usuario }) => usuario.startsWith('t'));
      if (technicians.length > 0)
        await em.insertMany(
          Permissao,
          technicians.map(({ id }) => ({ pessoa: id, perfil: perfil.id, situacao: 'A' as const })),
        );
    });
    progress(Math.min(from + PER_TRANSACTION, people.length));
  }
  return people.map(({ id }) => id);
}

/** The logins of the last days. Nobody knows their tokens. */
export async function seedLogins(
  transaction: Transaction,
  random: Random,
  { logins }: CampusSize,
  people: readonly number[],
  now: number,
  progress: (done: number) => void,
): Promise<void> {
  const sistema = await transaction(em => em.findOneOrFail(Sistema, { sigla: SERVICE }));
  const all = logins * LOGIN_DAYS;
  for (let from = 0; from < all; from += PER_TRANSACTION) {
    const some = Array.from({ length: Math.min(PER_TRANSACTION, all - from) }, (_, i) => {
      const begin = now - (1 - (from + i) / all) * LOGIN_DAYS * DAY_MS;
      const criadoEm = new Date(begin);
      const isEnded = random.happens(0.6);
      const ended = begin + random.next() * HOUR_MS;
      return {
        tokenHash: Buffer.from(Array.from({ length: 32 }, () => random.from(0, 255))),
        pessoa: random.of(people),
        sistema: sistema.id,
        versaoAplicacao: `4.${random.from(0, 9)}.0`,
        endereco: `198.18.${random.from(0, 255)}.${random.from(1, 254)}`,
        criadoEm,
        alteradoEm: criadoEm,
        expiraEm: new Date(begin + 8 * HOUR_MS),
        encerradaEm: isEnded && ended < now ? new Date(ended) : null,
      };
    });
    await transaction(em => em.insertMany(Sessao, some as never));
    progress(from + some.length);
  }
}
