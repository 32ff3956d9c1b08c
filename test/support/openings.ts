import { expect } from 'vitest';
import { makeCompany, makeMaterial, makePlace } from './make.ts';
import { eventually } from './process.ts';
import type { TestService } from './service.ts';
import { created, paths, type Body } from './stock.ts';

const IMPORTS = '/institucional/importacoes';

async function importRows(service: TestService, registros: string, ...rows: string[]): Promise<void> {
  const client = await service.as('almoxarife');
  const conteudo = Buffer.from(rows.join('\n')).toString('base64');
  const { id } = created(await client.post(IMPORTS, { registros, nome_arquivo: 'abertura.csv', conteudo }));
  await eventually(async () =>
    expect((await client.get(`${IMPORTS}/${id}`)).body).toMatchObject({ situacao: 'concluida' }),
  );
}

/** Imports opening balances of a batch, at these places. */
export const openAt = (
  service: TestService,
  { material, fabricante, cod_lote }: Body,
  ...balances: readonly (readonly [place: { sigla: string | null }, quantity: number])[]
): Promise<void> =>
  importRows(
    service,
    'saldos-iniciais',
    'lote_material_titulo;lote_fabricante_nome;lote_cod_lote;local_fim_sigla;local_armazenado_sigla;quantidade',
    ...balances.map(([{ sigla }, quantidade]) =>
      [material.titulo, fabricante.nome, cod_lote, sigla, sigla, quantidade].join(';'),
    ),
  );

/** A new batch that one file opens with these quantities, each at a place of its own. */
export async function opened(
  service: TestService,
  quantities: readonly number[],
  controlado = false,
): Promise<{ lote: Body; places: Body[] }> {
  const { titulo } = await makeMaterial(service, { controlado });
  const { nome } = await makeCompany(service);
  const header = 'material_titulo;fabricante_nome;cod_lote;data_venc';
  await importRows(service, 'lotes', header, `${titulo};${nome};L-1;2031-05-31`);
  const client = await service.as('almoxarife');
  const read = async (): Promise<Body> =>
    (await client.get(`${paths.batches}?titulo=${encodeURIComponent(titulo)}`)).body.data[0];
  const places = await Promise.all(quantities.map(() => makePlace(service)));
  await openAt(service, await read(), ...places.map((place, i) => [place, quantities[i]!] as const));
  return { lote: await read(), places };
}
