import type { Response } from 'express';
import { attachment } from '../reports/attachment.ts';
import type { TemplateName } from '../reports/pdf/templates.ts';
import { entityTag, isAnsweredByTag } from './conditions.ts';
import { issueOf } from './issuer.ts';
import { VERSION } from './openapi.ts';

export interface DocumentRecord {
  id?: number;
}

/**
 * Sends a PDF that a template renders from an answer, for display in the browser: `plano-ensino-12.pdf`, or
 * `etiquetas.pdf` if the answer is not a record. Its tag is computed from the data, `json`, because the PDF contains
 * the time and so differs each time. If the client has the current data, nothing is rendered.
 */
export async function sendDocument(
  res: Response,
  template: TemplateName,
  record: DocumentRecord,
  json: string,
): Promise<void> {
  const { context } = res.locals;
  const { pdf, shares, config } = context.services;
  const tag = `W/${entityTag(JSON.stringify([VERSION, template, config.INSTITUTION_NAME, json]))}`;
  res.setHeader('ETag', tag);
  if (isAnsweredByTag(res, tag)) return;
  const { idPessoa } = await context.session();
  const name = record.id === undefined ? template : `${template}-${record.id}`;
  const file = await context.inTime(async () => {
    const { now } = await issueOf(context);
    return shares.documents.during(idPessoa, () => pdf.write(template, now, record, idPessoa));
  });
  res
    .set({
      'Content-Type': 'application/pdf',
      'Content-Disposition': attachment(`${name}.pdf`, 'inline'),
      'Content-Length': String(file.length),
      // Browsers' PDF viewers need styles, which the policy for data blocks.
      'Content-Security-Policy': "frame-ancestors 'none'",
    })
    .end(file);
}
