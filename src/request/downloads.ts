import { Field, ObjectType } from 'type-graphql';
import { sign } from '../access/signature.ts';
import { DateTimeScalar } from '../entities/scalars.ts';
import { invalidField } from '../errors.ts';
import { pathAsked } from '../text/path-asked.ts';
import { withoutPrefix } from '../text/prefix.ts';
import { requestTexts } from './messages.ts';
import type { Context } from './context.ts';

@ObjectType({ description: 'Where a browser gets a file without further headers.', simpleResolvers: true })
export class Download {
  @Field(() => String, {
    description:
      'Address on this service, for GET. It is good for a minute, with the rights that its owner has then: give it to nobody.',
  })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When it ends' })
  validoAte!: string;
}

/** Longest path that is signed. */
const LONGEST = 4_000;

/** The signed address of a file. @throws BAD_REQUEST if it is not a path of this service, UNAUTHENTICATED */
export async function downloadOf(context: Context, path: string): Promise<Download> {
  const given = path.length <= LONGEST ? pathOf(path) : undefined;
  if (given === undefined) throw invalidField('BAD_REQUEST', 'caminho', requestTexts.servicePath);
  const { BASE_PATH } = context.services.config;
  const written = withoutPrefix(pathAsked(given), BASE_PATH);
  const { id: idSessao } = await context.session();
  const idChave = (await context.caller.system.orNull())?.idChave ?? 0;
  const signed = sign(written, context.header('token')!, { idSessao, idChave }, await momentOf(context));
  return { ...signed, url: BASE_PATH + signed.url };
}

/** The time of each request by the clock of the database, read once for all files of the request. */
const moments = new WeakMap<Context, Promise<number>>();

function momentOf(context: Context): Promise<number> {
  const { reader } = context.services.listing;
  const read = async (): Promise<number> => (await reader.rows(NOW, []))[0]![0] as number;
  const moment = moments.get(context) ?? read();
  moments.set(context, moment);
  return moment;
}

const NOW = 'select floor(extract(epoch from now()))::float8';

/** The path and the query as clients send them; undefined for an address of another service. */
function pathOf(path: string): string | undefined {
  const base = 'http://service.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && hash === '' ? pathname + search : undefined;
}
