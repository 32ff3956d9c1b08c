import { verifierDigit } from '@fnando/cnpj';
import { postMovements } from '../../src/domain/ledger.ts';
import type { Movement } from '../../src/domain/movement.ts';
import { Empresa } from '../../src/entities/almoxarifado/empresa.ts';
import { Material } from '../../src/entities/almoxarifado/material.ts';
import { makeCompany, makeMaterial, makePlace } from './make.ts';
import type { TestService } from './service.ts';
import { makeBatch } from './stock.ts';

const PERSON = 1;
let codes = 30_000_000;
let companies = 100_000_000_001;

/** A controlled chemical with a batch that arrived today, at a location without a purpose. */
export interface Chemical {
  id: number;
  codigo: string;
  idLote: number;
  place: number;
}

interface ChemicalOptions extends Partial<Material> {
  /** Litres per unit. */
  fator?: number;
  /** Quantity of the batch. */
  quantidade?: number;
  /** Whether its movements require approval. */
  controlado?: boolean;
}

export async function makeChemical(
  service: TestService,
  { fator = 0.001, quantidade = 100_000, controlado = false, ...values }: ChemicalOptions = {},
): Promise<Chemical> {
  const codigo = `TPN${++codes}`;
  const { id } = await makeMaterial(service);
  const em = service.services.orm.em.fork();
  const material = await em.findOneOrFail(Material, id, { populate: ['unidadeMedida'] });
  em.assign(material, { codigoPf: codigo, concentracao: 99.5, densidade: 0.79, ...values });
  em.assign(material.unidadeMedida, { unidadeControle: 'L', fatorControle: fator });
  await em.flush();
  const place = (await makePlace(service)).id;
  const { id: idLote } = await makeBatch(service, { id_material: id, id_local: place, quantidade });
  if (controlado)
    await service.sql(
      `update material set id_tipo_controle = (select min(id) from tipo_controle where exige_aprovacao) where id = $1`,
      [id],
    );
  return { id, codigo, idLote: idLote as number, place };
}

/** A CNPJ with valid check digits that no company has. */
export function newCnpj(): string {
  const digits = Array.from(String(companies++), Number);
  digits.push(verifierDigit(digits));
  return [...digits, verifierDigit(digits)].join('');
}

/** A company with a CNPJ. */
export async function makePartner(service: TestService, nome: string): Promise<number> {
  const { id } = await makeCompany(service);
  await service.services.orm.em.fork().nativeUpdate(Empresa, { id }, { nome, cnpj: newCnpj() });
  return id;
}

/** Registers movements with timestamps in the past. */
export const post = (service: TestService, ...movements: Movement[]): Promise<number[]> =>
  service.services.orm.em.fork().transactional(em => postMovements(em, movements, PERSON));

export const noon = (day: string): string => `${day}T12:00:00-03:00`;

/** A consumption at noon of a day. */
export const consumed = (
  { idLote, place }: Chemical,
  quantidade: number,
  day: string,
  more: Partial<Movement> = {},
): Movement => ({
  idLote,
  idTipoMovimentacao: 4,
  idLocalOrigemFim: place,
  quantidade,
  flEstorno: 'N',
  data: noon(day),
  ...more,
});

/** An entry at noon of a day. */
export const entered = (
  { idLote, place }: Chemical,
  quantidade: number,
  day: string,
  more: Partial<Movement> = {},
): Movement => ({
  idLote,
  idTipoMovimentacao: more.idNotaFiscal ? 1 : 2,
  idLocalDestinoFim: place,
  quantidade,
  flEstorno: 'N',
  data: noon(day),
  ...more,
});

/** The file of a path, as text. */
export async function fileAt(service: TestService, path: string, usuario = 'almoxarife') {
  const { headers } = await service.as(usuario);
  const accept = 'application/octet-stream';
  const answer = await fetch(service.url + path, { headers: { ...headers, accept } });
  return {
    status: answer.status,
    name: answer.headers.get('content-disposition'),
    text: await answer.text(),
  };
}
