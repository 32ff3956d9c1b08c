import { describe, expect, it } from 'vitest';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const store = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };
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
      const icon = await admin.post(`${store}/icones-risco`, { nome: 'I', icone: address });
      expect(icon).toMatchObject({ status: 201, body: { icone: address } });
    },
  );
});
