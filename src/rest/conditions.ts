import { hash } from 'node:crypto';
import type { Response } from 'express';
import { getNamedType, isObjectType } from 'graphql';
import { AppError } from '../errors.ts';
import { MARK_LENGTH, type Seen } from '../request/seen.ts';
import { restTexts } from './messages.ts';
import { takesVersion, type Operation } from './operation.ts';
import { successStatus } from './route.ts';

/** One entity tag of a header. Gateways that compress answers make it weak (`W/`). The version in it is still right. */
const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Hexadecimal characters of the digest in a tag: 128 bits. */
const DIGEST_LENGTH = 32;

/** Whether its answers have an `ETag`: reads, and writes that return the current record do. */
export function isTagged(operation: Operation): boolean {
  const { kind, route, field } = operation;
  if (kind === 'query') return true;
  if (route.method === 'PUT') return takesVersion(operation);
  const type = getNamedType(field.type);
  return successStatus(route) === 201 && isObjectType(type) && type.getFields()['versao'] !== undefined;
}

/** The conditional headers that an operation accepts, with their descriptions. */
export const conditionsOf = (operation: Operation): Record<string, string> => ({
  ...(operation.kind === 'query' && {
    'If-None-Match': 'Tags of answers that the caller has: of one of them 304 is answered',
  }),
  ...(takesVersion(operation) && {
    'If-Match': 'Tag of the record that the caller has seen: 412 when it has changed meanwhile',
  }),
});

/**
 * The strong validator of an answer, `"7-0b2ae53c-9f86d081…"`. It consists of the record's version and mark, for
 * `If-Match`, and a digest of the bytes, for `If-None-Match`. Changes of linked records change only the digest. A list
 * has neither version nor mark.
 */
export function entityTag(bytes: string | Buffer, state?: Seen): string {
  const digest = hash('sha256', bytes, 'hex').slice(0, DIGEST_LENGTH);
  return `"${state ? `${state.version}-${state.mark}-` : ''}${digest}"`;
}

/** Answers 304 if the client has what this tag names (`If-None-Match`). Returns whether it has. */
export function isAnsweredByTag(res: Response, tag: string): boolean {
  const header = res.locals.context.header('if-none-match');
  const isKnown = header?.trim() === '*' || header?.match(TAG)?.some(known => bare(known) === bare(tag));
  if (!isKnown) return false;
  res.status(304).setHeader('ETag', tag).end();
  return true;
}

/** A tag without the mark of weak ones. */
const bare = (tag: string): string => tag.replace(/^W\//, '');

/**
 * Version and mark at the beginning of a tag. A version alone counts, too: that is `"7"` of a client that has it from
 * GraphQL, and `"7-9f86d081…"` of one that read before tags had marks.
 */
const STATE = new RegExp(`^(\\d+)(?:-([0-9a-f]{${MARK_LENGTH}})-|-|$)`);

/**
 * The states that `If-Match` allows; undefined when it allows any, when it is absent, and for a read.
 * @throws BAD_REQUEST when it is not a list of tags, PRECONDITION_FAILED when there is no version to compare
 */
export function statesSeen(header: string | undefined, operation: Operation): readonly Seen[] | undefined {
  if (operation.kind === 'query' || header === undefined || header.trim() === '*') return undefined;
  const parts = header
    .replace(TAG, '""')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  if (parts.length === 0 || parts.some(part => part !== '""'))
    throw new AppError('BAD_REQUEST', { detail: restTexts.tagsUnreadable });
  if (!takesVersion(operation)) throw new AppError('PRECONDITION_FAILED', { detail: restTexts.noVersion });
  return [...header.matchAll(TAG)]
    .map(([, opaque]) => STATE.exec(opaque!))
    .filter(found => found !== null)
    .map(([, version, mark]) => ({ version: Number(version), mark }));
}
