import { beforeAll, expect, it } from 'vitest';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { useService } from './support/service.ts';

const service = useService();
const path = '/relatorios/almoxarifado-quimicos/materiais-controlados';
const titulo = 'Farto';

beforeAll(async () => {
  const [{ id: material }, { id: company }, { id: place }] = [
    await makeMaterial(service(), { titulo, controlado: true }),
    await makeCompany(service()),
    await makePlace(service()),
  ];
  await service().sql(
    `with made as (insert into lote (id_material, id_fabricante, quantidade)
       select $1, $2, 2000000000 from generate_series(1, 2) returning id),
     entry as (insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_destino_fim, id_local_destino_arm, quantidade)
       select id, 2, 2, $3, $3, 2000000000 from made)
     insert into estoque (id_lote, id_local_fim, id_local_armazenado, quantidade) select id, $3, $3, 2000000000 from made`,
    [material, company, place],
  );
});

it('stock of more than 32 bits at a place is shown on both faces', async () => {
  const admin = await service().as('admin');
  const { status, body } = await admin.get(`${path}?titulo=${titulo}`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject([{ qt_armazenada: 4_000_000_000 }]);
  const query = `{ materiaisControlados(titulo: "${titulo}") { data { qtArmazenada } } }`;
  const { data } = await admin.graphql(query);
  expect(data.materiaisControlados.data).toEqual([{ qtArmazenada: 4_000_000_000 }]);
});

it.each(['pdf=true', 'planilha=true&formatoPlanilha=xlsx'])('and in a file: %s', async form => {
  const { status } = await (await service().as('admin')).get(`${path}?titulo=${titulo}&${form}`);
  expect(status).toBe(200);
});

it('and in a csv, as a whole number', async () => {
  const { body } = await (await service().as('admin')).get(`${path}?titulo=${titulo}&planilha=true`);
  expect(body).toContain(';4000000000;');
});
