import { isRequiredArgument, type GraphQLSchema } from 'graphql';
import { permissoes as routes } from '../../src/rest/routes/permissoes.ts';
import type { Client } from './client.ts';
import { selectAll } from './select-all.ts';

/** The ids and names of a person that others could use to ask about them. */
export interface Owned {
  idPessoa: number;
  idPerfil: number;
  idSessao: number;
  token: string;
}

export interface Read {
  /** The request. */
  name: string;
  /** The answer as text. */
  text: string;
}

const reads = routes.filter(({ method }) => method === 'GET');
/** Queries that REST does not have. */
const beyondRest = ['chavesApi', 'permissoesEfetivas', 'sessaoAtual'];

/** Everything that can be read about permissions, with all fields, on both faces: in general, and about one person. */
export function readEverything(client: Client, schema: GraphQLSchema, about: Owned): Promise<Read[]> {
  const asked = [
    ...restPaths(about).map(async path => ({ name: path, answer: (await client.get(path)).body })),
    ...graphqlQueries(schema, about).map(async query => ({
      name: query,
      answer: await client.graphql(query),
    })),
  ];
  return Promise.all(
    asked.map(async read => {
      const { name, answer } = await read;
      return { name, text: JSON.stringify(answer) };
    }),
  );
}

function restPaths(about: Owned): string[] {
  const filters = ['idPessoa', 'Id_pessoa'].map(name => `${name}=${about.idPessoa}`);
  return reads.flatMap(({ path }) =>
    path.includes('{')
      ? Object.values(about).map(key => path.replace(/\{\w+\}/, String(key)))
      : [path, ...[...filters, `idPerfil=${about.idPerfil}`].map(filter => `${path}?${filter}`)],
  );
}

/** Each query with its required arguments, and once more with each argument that names a person. */
function graphqlQueries(schema: GraphQLSchema, { idSessao, ...rest }: Owned): string[] {
  const values: Readonly<Record<string, unknown>> = { id: idSessao, ...rest };
  const names = new Set([...reads.map(({ field }) => field), ...beyondRest]);
  return [...names].flatMap(name => {
    const field = schema.getQueryType()!.getFields()[name]!;
    const required = field.args.filter(isRequiredArgument);
    const optional = field.args.filter(arg => arg.name in values && !required.includes(arg));
    return [required, ...optional.map(arg => [...required, arg])].map(args => {
      const given = args.map(arg => `${arg.name}: ${JSON.stringify(values[arg.name])}`).join(', ');
      return `{ ${name}${given && `(${given})`} ${selectAll(field.type, 2)} }`;
    });
  });
}
