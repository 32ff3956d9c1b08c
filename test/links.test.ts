import { describe, expect, it } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { databaseSettings } from '../src/services.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const store = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };
const invoiceOf = { numero_nf: '1', id_fornecedor: 1, id_transportadora: 1, ...authors };
const material = { titulo: 'T', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L', ...authors };

const dangerous = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JAVASCRIPT:alert(1)//https://example.org',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'www.example.org',
  '//example.org',
  'https://',
];

describe('what a page shows as a link or a picture', () => {
  it.each(dangerous)('is not %j', async address => {
    const admin = await service().as('admin');
    const sheet = await admin.post(`${store}/materiais`, { ...material, link_fispq: address });
    expectProblem(sheet, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(sheet)).toEqual(['link_fispq']);
    const invoice = await admin.post(`${store}/notas-fiscais`, { ...invoiceOf, link_nf: address });
    expectProblem(invoice, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(invoice)).toEqual(['link_nf']);
    const icon = await admin.post(`${store}/icones-risco`, { nome: 'I', icone: address });
    expectProblem(icon, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(icon)).toEqual(['icone']);
    const { errors } = await admin.graphql(
      'mutation($input: IconeRiscoInput!) { criarIconeRisco(input: $input) { id } }',
      {
        input: { icone: address },
      },
    );
    expect(errors![0]!.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it.each(['http://intranet/fispq?n=1', 'https://example.org/ficha técnica.pdf', 'HTTPS://Example.org'])(
    'may be %s',
    async address => {
      const admin = await service().as('admin');
      const sheet = await admin.post(`${store}/materiais`, { ...material, link_fispq: address });
      expect(sheet).toMatchObject({ status: 201, body: { link_fispq: address } });
      const invoice = await admin.post(`${store}/notas-fiscais`, { ...invoiceOf, link_nf: address });
      expect(invoice).toMatchObject({ status: 201, body: { link_nf: address } });
      const icon = await admin.post(`${store}/icones-risco`, { nome: 'I', icone: address });
      expect(icon).toMatchObject({ status: 201, body: { icone: address } });
    },
  );

  it('is cleared by a migration if it was stored before, and the audit trail tells what it was', async () => {
    const { services, databaseUrl } = service();
    const sql = (text: string) => service().sql(text);
    await services.orm.migrator.down({ migrations: ['Migration20261122000041'] });
    await sql(
      `update nota_fiscal set link_nf = case id when 1 then 'vbscript:x' else '' end where id in (1, 2)`,
    );
    await sql(`update material set link_fispq = case id when 1 then ' JavaScript:alert(1)' else ' HTTPS://Example.org' end
      where id in (1, 2)`);
    await sql(`update icone_risco set icone = case id when 1 then 'data:text/html,x' else 'data:image/png;base64,AA' end
      where id in (1, 2)`);
    await services.orm.migrator.down({ migrations: ['Migration20261122000006'] });
    await migrate(services, databaseSettings(services.config, databaseUrl), async () => []);
    const admin = await service().as('admin');
    const shown = async (path: string, field: string) => (await admin.get(`${store}/${path}`)).body[field];
    expect(await shown('materiais/1', 'link_fispq')).toBeNull();
    expect(await shown('materiais/2', 'link_fispq')).toBe(' HTTPS://Example.org');
    expect(await shown('notas-fiscais/1', 'link_nf')).toBeNull();
    expect(await shown('notas-fiscais/2', 'link_nf')).toBe('');
    expect(await shown('icones-risco/1', 'icone')).toBeNull();
    expect(await shown('icones-risco/2', 'icone')).toBe('data:image/png;base64,AA');
    const { data } =
      await admin.graphql(`{ trilhaAuditoria(tabela: "material", idRegistro: 1, orderByMomento: desc, itemsPerPage: 1) {
      data { requisicao alteracoes { campo antes depois } } } }`);
    expect(data.trilhaAuditoria.data[0]).toMatchObject({
      requisicao: 'limpeza de endereços',
      alteracoes: expect.arrayContaining([
        expect.objectContaining({ campo: 'link_fispq', antes: ' JavaScript:alert(1)', depois: null }),
      ]),
    });
  });

  it.each([
    `update material set link_fispq = 'javascript:alert(1)' where id = 1`,
    `update icone_risco set icone = 'data:text/html,x' where id = 1`,
    `update nota_fiscal set link_nf = 'file:///etc/passwd' where id = 1`,
  ])('is refused by the database, too: %s', async statement => {
    await expect(service().sql(statement)).rejects.toMatchObject({ code: '23514' });
  });
});
