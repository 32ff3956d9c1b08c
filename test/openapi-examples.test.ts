import { beforeAll, describe, expect, it } from 'vitest';
import { examples } from '../src/rest/examples/examples.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { expectDocumented, type Schema } from './support/json-schema.ts';
import { useService } from './support/service.ts';
import { useValidation } from './support/validating-proxy.ts';

interface Operation {
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const service = useService();
const { violations, strictly } = useValidation(service);
let document: Document;
let admin: Client;
beforeAll(async () => {
  document = (await service().anyone.get('/openapi.json')).body as Document;
  admin = strictly((await service().as('admin')).with(systemHeaders));
});

const withBody = routes.filter(({ method }) => method === 'POST' || method === 'PUT');
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** No month of the demo data is complete, because no source verifies codes of the Federal Police. */
const REFUSED: Readonly<Record<string, number>> = {
  'POST /almoxarifadoquimicos/mapa-mensal/fechar': 409,
  'POST /almoxarifadoquimicos/mapa-mensal/reabrir': 409,
  'POST /almoxarifadoquimicos/mapa-mensal/registrar-envio': 409,
};

describe('the example of', () => {
  it.each(withBody.map(route => [nameOf(route), route] as const))(
    '%s works on the demo data',
    async (name, { method, path }) => {
      const { parameters, requestBody } = document.paths[path]![method.toLowerCase()]!;
      if (!requestBody) return;
      const { schema, example } = requestBody.content['application/json']!;
      expect(example).toBeDefined();
      expectDocumented(example, schema, document.components.schemas);
      const given = parameters.filter(
        parameter => parameter.in === 'path' || parameter.example !== undefined,
      );
      const [keys, query] = ['path', 'query'].map(place => given.filter(parameter => parameter.in === place));
      const at = keys!.reduce((url, key) => url.replace(`{${key.name}}`, String(key.example)), path);
      const asked = query!.map(parameter => `${parameter.name}=${String(parameter.example)}`).join('&');
      const { status, body } = await admin.send(method, `${at}?${asked}`, example);
      if (REFUSED[name]) expect(status).toBe(REFUSED[name]);
      else expect([200, 201], JSON.stringify(body)).toContain(status);
      expect(violations).toEqual([]);
    },
  );

  it('no other operation is there', () => {
    const names = new Set(withBody.map(nameOf));
    expect(Object.keys(examples).filter(name => !names.has(name))).toEqual([]);
  });
});
