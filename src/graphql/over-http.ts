import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../request/context.ts';

function headersOf({ headers }: Request): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  return map;
}

/** What follows the path of the request: its question mark and parameters, or nothing. */
function searchOf({ url }: Request): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** Answers requests whose body was parsed with Apollo's answers, each in one write. */
export const answerWith =
  (apollo: ApolloServer<Context>): RequestHandler =>
  async (req, res) => {
    const { method, body } = req;
    const httpGraphQLRequest = { method, headers: headersOf(req), search: searchOf(req), body };
    const context = async (): Promise<Context> => res.locals.context;
    const answer = await apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context });
    // Only later versions of graphql-js answer in parts.
    if (answer.body.kind !== 'complete') throw new Error('an answer in parts');
    res.statusCode = answer.status ?? 200;
    for (const [name, value] of answer.headers) res.setHeader(name, value);
    res.setHeader('Content-Length', Buffer.byteLength(answer.body.string));
    res.end(answer.body.string);
  };
