import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../request/context.ts';

/**
 * What Apollo and its plugins look at. The service reads all other headers itself, also the content type: Apollo would
 * refuse a GET for it even without a body.
 */
function headersOf({ headers: { accept } }: Request): HeaderMap {
  const map = new HeaderMap();
  if (accept !== undefined) map.set('accept', accept);
  return map;
}

/** What follows the path of the request: its question mark and parameters, or nothing. */
function searchOf({ url }: Request): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/**
 * Lets Apollo answer a request whose body is parsed. Apollo's own adapter for express calls `url.parse`, and Node.js
 * prints a warning about that.
 */
export const answerWith =
  (apollo: ApolloServer<Context>): RequestHandler =>
  async (req, res) => {
    // Node.js sends no body in answer to HEAD, and Apollo does not know it.
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const { body } = req;
    const httpGraphQLRequest = { method, headers: headersOf(req), search: searchOf(req), body };
    const context = async (): Promise<Context> => res.locals.context;
    const answer = await apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context });
    // Only later versions of graphql-js answer in parts.
    if (answer.body.kind !== 'complete') throw new Error('an answer in parts');
    res.statusCode = answer.status ?? 200;
    for (const [name, value] of answer.headers) res.setHeader(name, value);
    // Without a length Node.js would send the answer in chunks.
    res.setHeader('Content-Length', Buffer.byteLength(answer.body.string));
    res.end(answer.body.string);
  };
