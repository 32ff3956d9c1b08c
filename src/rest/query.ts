import type { RequestHandler } from 'express';
import { invalid } from '../errors.ts';
import { restTexts } from './messages.ts';
import { asSent } from './properties.ts';

/**
 * The parameters of a URL. Many libraries write list parameters as `a[]=1` or `a[0]=1`; both become `a=1`.
 * @throws BAD_REQUEST with the parameters that are not percent-encoded UTF-8
 */
export function readQuery(url: string): URLSearchParams {
  const query = queryOf(url);
  refuseUndecodable(query, asSent);
  const given = [...new URLSearchParams(query)];
  return new URLSearchParams(given.map(([name, value]) => [scalar(name), value]));
}

/** Passes on only requests whose parameters are percent-encoded UTF-8. */
export const readableQuery: RequestHandler = (req, _res, next) => {
  refuseUndecodable(queryOf(req.url), name => name);
  next();
};

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

const scalar = (name: string): string => name.replace(/\[\d*\]$/, '');

/** URLSearchParams would silently replace what it cannot decode. */
function refuseUndecodable(query: string, shown: (name: string) => string): void {
  if (decoded(query) !== undefined) return;
  const names = query
    .split('&')
    .filter(part => decoded(part) === undefined)
    .map(part => part.replace(/=.*/s, ''));
  const errors = [...new Set(names)].map(name => ({
    field: shown(scalar(decoded(name) ?? name)),
    message: restTexts.undecodable,
  }));
  throw invalid('BAD_REQUEST', errors);
}

/** A part of a URL, decoded; undefined if it is not percent-encoded UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
