import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ClassificacaoRisco } from '../../src/entities/almoxarifado/classificacao-risco.ts';
import { IconeRisco } from '../../src/entities/almoxarifado/icone-risco.ts';
import { Material } from '../../src/entities/almoxarifado/material.ts';
import { RiscoMaterial } from '../../src/entities/almoxarifado/risco-material.ts';
import { UnidadeMedida } from '../../src/entities/almoxarifado/unidade-medida.ts';
import type { TestService } from './service.ts';

/** Records for a test, written straight into its database; whatever they need and the test does not care about is made up. */
const unique = (word: string): string => `${word} ${randomUUID().slice(0, 8)}`;

async function inOneGo<T>(service: TestService, work: (em: EntityManager) => T): Promise<T> {
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
}

export const makeMaterial = (
  service: TestService,
  { riscos = 0, ...columns }: MaterialColumns = {},
): Promise<Material> =>
  inOneGo(service, em => {
    const unidadeMedida = em.create(UnidadeMedida, { sigla: unique('u'), descricao: 'Unidade de teste' });
    const material = em.create(Material, {
      titulo: unique('Material'),
      descricao: 'de teste',
      estadoFisico: 'L',
      unidadeMedida,
      ...columns,
    });
    for (let i = 0; i < riscos; i++) {
      const iconeRisco = em.create(IconeRisco, { nome: unique('Ícone') });
      const classificacaoRisco = em.create(ClassificacaoRisco, { risco: unique('Risco'), iconeRisco });
      em.create(RiscoMaterial, { material, classificacaoRisco });
    }
    return material;
  });
