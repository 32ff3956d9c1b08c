import type { Names } from './names.ts';

/** Where a file imports a name from. */
type From = (name: string) => string;

export const entity = ({ type, words }: Names, from: From): string => `
import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '${from('Column')}';
import { Registro } from '${from('Registro')}';

@Entity()
@ObjectType({ description: 'A ${words}.', simpleResolvers: true })
export class ${type} extends Registro {
  @Column('text', { description: 'Name', max: 200, search: true, sort: true })
  nome!: string;
}
`;

export const resolver = (names: Names, prefix: string, from: From): string => {
  const { type, types, field, fields, files, words } = names;
  return `
import { InputType } from 'type-graphql';
import { ${type} } from '${from(type)}';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '${from('ListArgs')}';
import { FieldOf } from '${from('FieldOf')}';
import { create, list, one, remove, resource, update } from '${from('resource')}';

@List(() => ${type}, { paging: 'optional' })
export class ${types}Args extends ListArgs {
  @Filter(() => String, 'nome') nome?: string;

  @OrderBy('nome') orderByNome?: Ordem;
}

@InputType({ description: 'A ${words}.' })
export class ${type}Input {
  @FieldOf(${type}) nome!: string;
}

export const ${type}Resolver = resource(${type}, '${prefix}/${files}', {
  ${fields}: list(${types}Args, 'Every ${words}'),
  ${field}: one('One ${words}; null when there is none with this id'),
  criar${type}: create(${type}Input, 'Adds a ${words}'),
  atualizar${type}: update(${type}Input, 'Changes a ${words}'),
  excluir${type}: remove('Deletes a ${words} and answers it as it stood'),
});
`;
};

export const routes = ({ type, field, fields, files }: Names, prefix: string): string => `
  ...area('/${prefix}', [
    get('/${files}', '${fields}'),
    post('/${files}', 'criar${type}'),
    get('/${files}/{id}', '${field}'),
    put('/${files}/{id}', 'atualizar${type}'),
    del('/${files}/{id}', 'excluir${type}'),
  ]),
`;

export const examples = ({ type, words }: Names): string =>
  `[${type}, [{ nome: 'Exemplo de ${words}' }, { nome: 'Outro exemplo de ${words}' }]],\n`;

export const test = ({ field, files, words }: Names, prefix: string): string => `
import { expect, it } from 'vitest';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const path = '/${prefix}/${files}';

it('a ${words} is created, found by its name, changed and deleted', async () => {
  const admin = await service().as('admin');
  const { status, body } = await admin.post(path, { nome: 'Único' });
  expect([status, body]).toMatchObject([201, { nome: 'Único' }]);
  const one = \`\${path}/\${body.id}\`;
  expect((await admin.get(\`\${path}?nome=unico\`)).body.data).toEqual([body]);
  const { data } = await admin.graphql(\`{ ${field}(id: \${body.id}) { nome } }\`);
  expect(data).toEqual({ ${field}: { nome: 'Único' } });
  expect((await admin.put(one, { nome: 'Outro' })).body).toMatchObject({ id: body.id, nome: 'Outro' });
  expect((await admin.delete(one)).status).toBe(200);
  expectProblem(await admin.get(one), 404, 'NOT_FOUND');
});

it('a ${words} without a name is refused', async () => {
  const refused = await (await service().as('admin')).post(path, {});
  expectProblem(refused, 422, 'VALIDATION_FAILED');
  expect(fieldsOf(refused)).toEqual(['nome']);
});
`;
