import { LockMode } from '@mikro-orm/core';
import type { Context } from '../request/context.ts';
import { ArquivoDigital } from '../entities/arquivos/arquivo-digital.ts';
import { AppError, invalidField, notFound } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Page } from '../listing/page.ts';
import type { ListArgs } from '../listing/args.ts';
import { recordList } from '../listing/list.ts';
import type { Call } from '../request/call.ts';
import { fromBase64 } from '../storage/base64.ts';
import type { Incoming } from '../storage/incoming.ts';
import { createRecord, recordLock } from './records.ts';
import { claimContent } from './uploads.ts';
import { writingAs } from '../request/writing.ts';

/** A file as the client sends it. */
interface FileInput {
  idTabelaOrigem: number;
  nomeTabelaOrigem: string;
  nome: string;
  tipoMime: string;
  /** Base64 text, or the reference of a content that was received from the request body. */
  conteudo: string;
}

/**
 * Stores a file: first its bytes, then, when they are durable, its record. So no record lacks its bytes.
 * @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE; UNAVAILABLE when the storage is not available
 */
export async function storeFile(call: Call, input: FileInput): Promise<ArquivoDigital> {
  const { storage } = call.context.services;
  const content = await arrived(call, input.conteudo);
  try {
    if (content.size === 0) throw invalidField('VALIDATION_FAILED', 'conteudo', fieldMessages.notEmpty);
    call.context.deadline.extend(content.size);
    await claimed(call.context, content.sha256);
    await storage.put(content);
    return await createRecord(call, ArquivoDigital, input, async record => {
      record.sha256 = content.sha256;
      record.tamanho = content.size;
    });
  } finally {
    await content.discard();
  }
}

/** Claims a content. This takes a turn like a write, because it waits while the same content is being swept. */
function claimed(context: Context, sha256: string): Promise<void> {
  const { listing, turns } = context.services;
  const locks = [['record', `content ${sha256}`]] as const;
  return turns.run({ lane: 'write', operation: 'claim', locks }, () => claimContent(listing.reader, sha256));
}

/** The content that was received from the request body, or that the text encodes. */
export async function arrived({ context, extras: { received } }: Call, conteudo: string): Promise<Incoming> {
  if (received?.reference === conteudo) return received;
  const { storage, config } = context.services;
  const bytes = fromBase64(conteudo);
  if (!bytes) throw invalidField('VALIDATION_FAILED', 'conteudo', fieldMessages.base64);
  if (bytes.length > config.FILES_MAX_BYTES)
    throw new AppError('PAYLOAD_TOO_LARGE', { detail: messages.fileTooLarge(config.FILES_MAX_BYTES) });
  return storage.receive([bytes]);
}

/** The table and the id of the row that files belong to. */
export interface Origin {
  idTabelaOrigem: number;
  nomeTabelaOrigem: string;
}

/**
 * Deletes all file records of a row and returns them. Their contents stay until a sweep, because other records may use
 * them.
 * @throws NOT_FOUND when there are none
 */
export function removeFiles(call: Call, args: ListArgs, origin: Origin): Promise<Page<ArquivoDigital>> {
  const locks = [recordLock(ArquivoDigital, `of ${origin.nomeTabelaOrigem} ${origin.idTabelaOrigem}`)];
  return writingAs(call, { locks }, async em => {
    const files = await em.find(
      ArquivoDigital,
      { ...origin },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    if (files.length === 0) throw notFound();
    const ids = files.map(file => file.id);
    const stood = await call.writtenPage(em, recordList<ArquivoDigital>(args, { id: ids }));
    await em.nativeDelete(ArquivoDigital, { id: ids });
    return stood;
  });
}
