import type { Request } from 'express';
import { inBackground } from '../runtime/background.ts';
import { AppError, invalidField } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import { restTexts } from './messages.ts';
import { type Services } from '../request/services.ts';
import { Base64Decoder } from '../storage/base64.ts';
import {
  asObject,
  bodyTooLarge,
  encodingOf,
  hasBody,
  parseJson,
  requireJson,
  type BodyReader,
} from './body.ts';
import { StringField } from './string-field.ts';

/** Placeholder for a file that was not base64. It is invalid base64 itself, so validation reports it. */
const NOT_BASE64 = '?';

/**
 * Reads a JSON body whose `field` is a file in base64. The other fields may have at most `MAX_BODY_BYTES`. The file is
 * decoded and streamed to the storage's incoming folder, one chunk in memory at a time. In the body it is replaced by a
 * reference.
 */
export function fileBodyReader({ config, storage, shares }: Services, field: string): BodyReader {
  return async (req, res) => {
    if (!(await hasBody(req))) return { json: {} };
    requireJson(req);
    if (encodingOf(req) !== 'identity')
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
        detail: restTexts.bodyEncoded,
        acceptEncoding: 'identity',
      });
    const { context } = res.locals;
    const { idPessoa } = await context.session();
    context.untilClosed(shares.transfers.take(idPessoa));
    const split = new StringField(field);
    const base64 = new Base64Decoder();
    const limits = { file: config.FILES_MAX_BYTES, rest: config.MAX_BODY_BYTES };
    const file = await storage.receive(decoded(req, split, base64, limits));
    context.untilClosed(() =>
      inBackground(file.discard(), error => context.log.warn({ err: error }, 'upload not removed')),
    );
    const body = asObject(parseJson(split.left)) as Record<string, unknown>;
    if (split.seen > 1) throw invalidField('VALIDATION_FAILED', field, fieldMessages.repeated);
    if (split.seen === 0 && body[field] == null) return { json: body };
    const standIn = file.size > 0 ? file.reference : '';
    const isFile = split.seen === 1 && base64.valid;
    return { json: { ...body, [field]: isFile ? standIn : NOT_BASE64 }, file };
  };
}

/** @throws PAYLOAD_TOO_LARGE */
async function* decoded(
  req: Request,
  split: StringField,
  base64: Base64Decoder,
  limits: { file: number; rest: number },
): AsyncGenerator<Buffer> {
  let read = 0;
  let size = 0;
  const counted = (bytes: Buffer): Buffer => {
    size += bytes.length;
    // Also limits white space.
    if (size > limits.file || read > 2 * limits.file + limits.rest)
      throw bodyTooLarge(req.res!, messages.fileTooLarge(limits.file));
    return bytes;
  };
  for await (const chunk of chunksOf(req)) {
    for (const text of split.take(chunk)) {
      read += text.length;
      yield counted(base64.decode(text));
    }
    if (split.leftBytes > limits.rest) throw bodyTooLarge(req.res!, messages.bodyTooLarge(limits.rest));
  }
  yield counted(base64.end());
}

async function* chunksOf(req: Request): AsyncGenerator<Buffer> {
  try {
    // The connection is still needed for the answer.
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    // The client closed the connection.
    throw new AppError('BAD_REQUEST', { cause: error });
  }
}
