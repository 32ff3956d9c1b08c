import { raw, type EntityManager } from '@mikro-orm/postgresql';
import { ClassificacaoRisco } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Lotacao } from '../../entities/almoxarifado/lotacao.ts';
import { Material } from '../../entities/almoxarifado/material.ts';
import { ResponsavelLaboratorio } from '../../entities/almoxarifado/responsavel-laboratorio.ts';
import { RiscoMaterial } from '../../entities/almoxarifado/risco-material.ts';
import { TipoControle } from '../../entities/almoxarifado/tipo-controle.ts';
import { TipoEmpresa } from '../../entities/almoxarifado/tipo-empresa.ts';
import { UnidadeMedida } from '../../entities/almoxarifado/unidade-medida.ts';
import type { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { ghsIcons } from '../reference/ghs.ts';
import { demoControlTypes, demoMaterials, demoRiskClasses, demoUnits } from './demo-chemicals.ts';
import { demoCompanies, demoCompanyTypes, demoPlaces } from './demo-places.ts';
import { seedStock } from './seed-stock.ts';

/** The demo's storeroom: its catalogue, companies, places with their managers, and a year of stock. */
export async function seedStoreroom(em: EntityManager, people: ReadonlyMap<string, Pessoa>): Promise<void> {
  await seedChemicals(em);
  seedCompanies(em);
  seedPlaces(em, people);
  await em.flush();
  await seedStock(em, people);
}

function seedCompanies(em: EntityManager): void {
  const types = new Map(
    demoCompanyTypes.map(type => [type.descricao as string, em.create(TipoEmpresa, type)]),
  );
  for (const { nome, cnpj, tipo } of demoCompanies)
    em.create(Empresa, { nome, cnpj, tipoEmpresa: types.get(tipo)! });
}

function seedPlaces(em: EntityManager, people: ReadonlyMap<string, Pessoa>): void {
  for (const { nome, sigla, locais } of demoPlaces) {
    const lotacao = em.create(Lotacao, { nome, sigla });
    for (const { responsavel, ...columns } of locais) {
      const local = em.create(Local, { ...columns, lotacao });
      em.create(ResponsavelLaboratorio, {
        local,
        pessoa: people.get(responsavel)!,
        dataInicio: raw('current_date - 200'),
        dataFim: null,
      });
    }
  }
}

async function seedChemicals(em: EntityManager): Promise<void> {
  const icons = new Map((await em.find(IconeRisco, {})).map(icon => [icon.nome, icon]));
  const iconByCode = new Map(ghsIcons.map(({ codigo, nome }) => [codigo, icons.get(nome)!]));
  const units = new Map(demoUnits.map(unit => [unit.sigla as string, em.create(UnidadeMedida, unit)]));
  const controls = new Map(
    demoControlTypes.map(control => [control.descricao as string, em.create(TipoControle, control)]),
  );
  const hazards = new Map(
    demoRiskClasses.map(({ risco, descricao, icone }) => [
      risco,
      em.create(ClassificacaoRisco, { risco, descricao, iconeRisco: iconByCode.get(icone)! }),
    ]),
  );
  for (const { unidade, controle, riscos, ...columns } of demoMaterials) {
    const tipoControle = controle === null ? null : controls.get(controle)!;
    const material = em.create(Material, { ...columns, unidadeMedida: units.get(unidade)!, tipoControle });
    for (const risco of riscos)
      em.create(RiscoMaterial, { material, classificacaoRisco: hazards.get(risco)! });
  }
  await em.flush();
}
