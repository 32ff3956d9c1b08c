import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();

describe('materials', () => {
  it('are listed alike on both faces', async () => {
    const admin = await service().as('admin');
    const rest = await admin.get(
      '/almoxarifadoquimicos/materiais?pagination=true&titulo=acido&orderByTitulo=asc&itemsPerPage=3',
    );
    const graphql = await admin.graphql(
      '{ materiais(pagination: true, titulo: "acido", orderByTitulo: asc, itemsPerPage: 3) { total page itemsPerPage totalPages data { id titulo } } }',
    );
    const { data, ...page } = rest.body;
    expect(rest.status).toBe(200);
    expect(graphql.data.materiais).toMatchObject(page);
    expect(data.map((m: { id: number; titulo: string }) => ({ id: m.id, titulo: m.titulo }))).toEqual(
      graphql.data.materiais.data,
    );
  });
});
