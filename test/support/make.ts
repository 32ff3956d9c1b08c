import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClassificacaoRisco } from '../../src/entities/almoxarifado/classificacao-risco.ts';
import { Empresa } from '../../src/entities/almoxarifado/empresa.ts';
import { IconeRisco } from '../../src/entities/almoxarifado/icone-risco.ts';
import { Local } from '../../src/entities/almoxarifado/local.ts';
import { Lotacao } from '../../src/entities/almoxarifado/lotacao.ts';
import { Material } from '../../src/entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../../src/entities/almoxarifado/risco-material.ts';
import { TipoControle } from '../../src/entities/almoxarifado/tipo-controle.ts';
import { TipoEmpresa } from '../../src/entities/almoxarifado/tipo-empresa.ts';
import { UnidadeMedida } from '../../src/entities/almoxarifado/unidade-medida.ts';
import type { TestService } from './service.ts';

/** Records for a test, written directly into its database. Values that do not matter to the test are made up. */
const unique = (word: string): string => `${word} ${randomUUID().slice(0, 8)}`;

/** Several records in one transaction, which takes a fraction of the time of one for each. */
export async function inOneGo<T>(service: TestService, work: (em: EntityManager) => T): Promise<T> {
  const em = service.services.orm.em.fork();
  const made = work(em);
  await em.flush();
  return made;
}

interface MaterialColumns {
  titulo?: string;
  descricao?: string;
  catmat?: string | null;
  numeroCas?: string | null;
  /** How many hazards it has, each of a class of its own. */
  riscos?: number;
  /** Whether its control type requires approval; without one when absent. */
  controlado?: boolean;
}

export function newMaterial(
  em: EntityManager,
  { riscos = 0, controlado, ...columns }: MaterialColumns = {},
): Material {
  const unidadeMedida = em.create(UnidadeMedida, { sigla: unique('u'), descricao: 'Unidade de teste' });
  const material = em.create(Material, {
    titulo: unique('Material'),
    descricao: 'de teste',
    estadoFisico: 'L',
    unidadeMedida,
    tipoControle:
      controlado === undefined
        ? null
        : em.create(TipoControle, { descricao: unique('Controle'), exigeAprovacao: controlado }),
    ...columns,
  });
  for (let i = 0; i < riscos; i++) {
    const iconeRisco = em.create(IconeRisco, { nome: unique('Ícone') });
    const classificacaoRisco = em.create(ClassificacaoRisco, { risco: unique('Risco'), iconeRisco });
    em.create(RiscoMaterial, { material, classificacaoRisco });
  }
  return material;
}

/** A company of a kind that needs no CNPJ. */
export function newCompany(em: EntityManager): Empresa {
  const tipoEmpresa = em.create(TipoEmpresa, { descricao: unique('Tipo'), obrigaCnpj: 'N' });
  return em.create(Empresa, { nome: unique('Empresa'), cnpj: null, tipoEmpresa });
}

export function newPlace(em: EntityManager): Local {
  const lotacao = em.create(Lotacao, { nome: unique('Departamento'), sigla: unique('D') });
  return em.create(Local, { nome: unique('Laboratório'), sigla: unique('L'), lotacao });
}

export const makeMaterial = (service: TestService, columns: MaterialColumns = {}): Promise<Material> =>
  inOneGo(service, em => newMaterial(em, columns));
export const makeCompany = (service: TestService): Promise<Empresa> => inOneGo(service, newCompany);
export const makePlace = (service: TestService): Promise<Local> => inOneGo(service, newPlace);
