import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unmanaged } from '../access/grants.ts';
import { mayAct } from '../access/session.ts';
import { transactionReader } from '../database/reader.ts';
import { arrived } from '../domain/files.ts';
import { Importacao } from '../entities/institucional/importacao.ts';
import { AppError, invalidField } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import { jobTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { writing } from '../request/writing.ts';
import { ignored } from '../runtime/background.ts';
import type { Incoming } from '../storage/incoming.ts';
import type { Encoding } from './encoding.ts';
import { areOnLdap, importables } from './import-file.ts';
import type { Importable } from './importable.ts';
import { typeOf } from './rows.ts';

/** How long the answer waits for the end, so that the answer for a small file contains its report. */
const WAIT_MS = 2_000;

/** A file to be imported. */
export interface ImportRequest {
  registros: string;
  nomeArquivo: string;
  conteudo: string;
  simulacao?: boolean | null;
  aceitarValidas?: boolean | null;
  codificacao?: Encoding | null;
}

/** The names of what the caller may import. */
export async function importablesOf(context: Context): Promise<Importable[]> {
  const session = await context.session();
  const known = [...(await importables()).values()];
  return known.filter(
    one =>
      !areOnLdap(one, context.services) && one.managedBy.every(controller => mayAct(session, controller, 3)),
  );
}

/**
 * Starts an import, and waits a short time for its end. Returns the id of its record.
 * @throws VALIDATION_FAILED, FORBIDDEN, PAYLOAD_TOO_LARGE; RATE_LIMITED and UNAVAILABLE when too many wait
 */
export async function startImport(call: Call, input: ImportRequest): Promise<number> {
  const { context } = call;
  const importable = await allowed(context, input.registros);
  const { imports, shares } = context.services;
  const { idPessoa, idSistema } = await context.session();
  const leave = shares.imports.take(idPessoa);
  let content: Incoming | undefined;
  let path: string | undefined;
  let ended: Promise<void> | undefined;
  try {
    content = await arrived(call, input.conteudo);
    if (content.size === 0) throw invalidField('VALIDATION_FAILED', 'conteudo', fieldMessages.notEmpty);
    if (!imports.hasRoom)
      throw new AppError('UNAVAILABLE', { detail: jobTexts.tooManyImports, retryAfter: 60 });
    const { dryRun, acceptValid } = mannerOf(input);
    // If the client leaves while the import is being recorded, the file must still be there.
    path = await content.take();
    const type = await typeOf(path);
    const id = await record(call, input, basename(path));
    const name = basename(input.nomeArquivo);
    const job = imports.add({
      id,
      importable,
      file: { path, name, type, encoding: input.codificacao ?? undefined },
      dryRun,
      acceptValid,
      idPessoa,
      idSistema,
      address: context.address,
      language: context.language,
      authorize: async reader => {
        const controller = await unmanaged(reader, idPessoa, importable.managedBy);
        if (controller !== undefined)
          throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(controller, 3) });
      },
    });
    ended = job.finally(leave);
    await Promise.race([ended, sleep(WAIT_MS, undefined, { ref: false })]);
    return id;
  } finally {
    if (!ended) {
      leave();
      if (path !== undefined) await rm(path, { force: true }).catch(ignored);
    }
    await content?.discard();
  }
}

const mannerOf = ({ simulacao, aceitarValidas }: ImportRequest) => ({
  dryRun: simulacao ?? false,
  acceptValid: aceitarValidas ?? false,
});

/** @throws VALIDATION_FAILED for records that are unknown or on an LDAP server, FORBIDDEN when the caller may not import it */
async function allowed(context: Context, name: string): Promise<Importable> {
  const known = await importables();
  const importable = known.get(name);
  if (!importable)
    throw invalidField('VALIDATION_FAILED', 'registros', fieldMessages.oneOf([...known.keys()]));
  for (const controller of importable.managedBy)
    await context.caller.authorize({ kind: 'level', controller, level: 3 });
  if (areOnLdap(importable, context.services))
    throw invalidField('VALIDATION_FAILED', 'registros', jobTexts.onLdap);
  return importable;
}

const PROGRESS = 'insert into andamento_importacao (id_importacao, arquivo) values ($1, $2)';

/** Creates the record of the import. `file` is the name of its file on this machine. */
function record(call: Call, input: ImportRequest, file: string): Promise<number> {
  const { dryRun, acceptValid } = mannerOf(input);
  return writing(call, async em => {
    const { idPessoa } = await call.context.session();
    const made = em.create(Importacao, {
      registros: input.registros,
      nomeArquivo: input.nomeArquivo,
      simulacao: dryRun,
      aceitarValidas: acceptValid,
      criadoPor: idPessoa,
      alteradoPor: idPessoa,
    } as never);
    await em.flush();
    await transactionReader(em).rows(PROGRESS, [made.id, file]);
    return made.id;
  });
}
