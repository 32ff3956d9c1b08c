import type { LegacyView } from './legacy-schema.ts';
import { securitySchemes } from './openapi-access.ts';
import { componentSchemas, errorResponses } from './openapi-components.ts';
import type { Operation } from './operation.ts';
import { describeOperation } from './openapi-operation.ts';

/** Version of the API. */
export const VERSION = '2.0.0';

/**
 * The areas by the first segment of their paths. The names are the same in both languages, because client generators
 * use them in code.
 */
const areas: Readonly<Record<string, { name: string; description: string }>> = {
  academico: { name: 'Acadêmico', description: 'Enrolments and activities of students, teaching plans' },
  almoxarifadoquimicos: {
    name: 'Almoxarifado de químicos',
    description: 'Chemicals storeroom: materials, batches, invoices, stock, its movements and their approval',
  },
  arquivosdigitais: { name: 'Arquivos digitais', description: 'Files that belong to records' },
  auth: { name: 'Login de usuário', description: 'Login and change of passwords' },
  institucional: {
    name: 'Institucional',
    description: 'Employees, news, directory with managerial accounts, imports',
  },
  mudancas: { name: 'Mudanças', description: 'Changes of records, as a feed and by webhooks' },
  permissoes: { name: 'Permissões', description: 'Who may do what: people, roles, systems, menus, sessions' },
  relatorios: {
    name: 'Relatórios',
    description: 'Reports on teaching plans and on the storeroom, also as PDF or spreadsheet',
  },
};

/**
 * The REST API in OpenAPI 3.1. It is generated from the view that serves the requests, so they cannot differ.
 * `itemsPerPage` is the largest page size, `basePath` the prefix of all paths.
 */
export function openApiDocument(view: LegacyView, itemsPerPage?: number, basePath = ''): object {
  const { schema, operations } = view;
  const ids = operationIds(operations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: ids.get(operation),
      tags: [areaOf(operation).name],
      ...describeOperation(operation, view, itemsPerPage),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Serviço de Informações Institucionais',
      version: VERSION,
      description:
        'The specified REST paths, over the same schema that GraphQL serves at `/graphql`. ' +
        'Log in with `POST /auth/login`, then send the answered token in the `token` header. ' +
        'What is described here is how to write to the service. It also takes what older clients send: numbers and ' +
        'booleans for texts, numbers in texts, dates as `YYYY/MM/DD` and `DD/MM/YYYY` and with a time, `""` for what ' +
        'is optional, and the parameters of a list as `a=1&a=2`, `a=1,2`, `a[]=1` and `a[0]=1`.',
    },
    servers: [{ url: basePath || '/' }],
    tags: [...new Set(operations.map(areaOf))],
    paths,
    components: {
      schemas: componentSchemas(schema),
      responses: errorResponses(),
      securitySchemes,
    },
  };
}

/**
 * The `operationId` of each operation: the name of its GraphQL field. If one field serves several paths, the parameters
 * are appended for the others.
 */
function operationIds(operations: readonly Operation[]): Map<Operation, string> {
  const ids = new Map<Operation, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { name } = operation.field;
    const keys = [...operation.route.path.matchAll(/\{(\w)(\w*)\}/g)];
    const longer = `${name}${keys.map(([, first, rest]) => first!.toUpperCase() + rest!).join('')}`;
    const id = taken.has(name) ? longer : name;
    taken.add(id);
    ids.set(operation, id);
  }
  return ids;
}

const areaOf = ({ route }: Operation) => areas[route.path.split('/')[1]!]!;
