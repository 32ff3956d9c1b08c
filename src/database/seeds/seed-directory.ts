import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from '../../access/passwords.ts';
import { ContaGerencial } from '../../entities/institucional/conta-gerencial.ts';
import { ResponsavelConta } from '../../entities/institucional/responsavel-conta.ts';
import { AcessoAmbiente } from '../../entities/permissoes/acesso-ambiente.ts';
import type { Perfil } from '../../entities/permissoes/perfil.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { demoAccounts } from './demo-accounts.ts';
import {
  demoColleagueProfiles,
  demoColleagues,
  demoCpf,
  demoFormerColleagues,
  demoUserName,
} from './demo-people.ts';

/** The demo's colleagues and managerial accounts, beside the people with a login, who are there. */
export async function seedDirectory(
  em: EntityManager,
  people: ReadonlyMap<string, Pessoa>,
  profiles: ReadonlyMap<string, Perfil>,
): Promise<void> {
  const everybody = new Map(people);
  for (const pessoa of people.values()) pessoa.cpf = demoCpf(pessoa.id);
  demoColleagues.forEach((nome, i) => {
    const usuario = demoUserName(nome);
    const situacao = demoFormerColleagues.includes(nome) ? 'I' : 'A';
    const email = `${usuario}@universidade.example`;
    const pessoa = em.create(Pessoa, { usuario, nome, email, situacao, cpf: demoCpf(100 + i) });
    everybody.set(usuario, pessoa);
    em.create(AcessoAmbiente, { pessoa, situacao });
    const perfil = profiles.get(demoColleagueProfiles[nome] ?? '');
    if (perfil) em.create(Permissao, { pessoa, perfil });
  });
  await seedAccounts(em, everybody);
  await em.flush();
}

async function seedAccounts(em: EntityManager, people: ReadonlyMap<string, Pessoa>): Promise<void> {
  for (const { usuario, senha, responsaveis, ...columns } of demoAccounts) {
    const conta = em.create(ContaGerencial, {
      ...columns,
      email: `${usuario}@universidade.example`,
      senhaHash: senha === null ? null : await hashPassword(senha),
    });
    for (const holder of responsaveis) em.create(ResponsavelConta, { conta, pessoa: people.get(holder)! });
  }
}
