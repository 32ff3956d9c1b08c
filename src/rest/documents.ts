import type { Response } from 'express';
import { attachment } from '../reports/attachment.ts';
import type { TemplateName } from '../reports/pdf/templates.ts';
import { issueOf } from './issuer.ts';

export interface DocumentRecord {
  id: number;
}

/** Answers with the document that a template makes of a record, to be shown: `plano-ensino-12.pdf`. */
export async function sendDocument(
  res: Response,
  template: TemplateName,
  record: DocumentRecord,
): Promise<void> {
  const { context } = res.locals;
  const { pdf, shares } = context.services;
  const { idPessoa } = await context.session();
  const file = await context.inTime(async () => {
    const { now } = await issueOf(context);
    return shares.documents.during(idPessoa, () => pdf.write(template, now, record, idPessoa));
  });
  res
    .set({
      'Content-Type': 'application/pdf',
      'Content-Disposition': attachment(`${template}-${record.id}.pdf`, 'inline'),
      'Content-Length': String(file.length),
      // A browser's own viewer of PDFs needs styles, which the policy for data would refuse it.
      'Content-Security-Policy': "frame-ancestors 'none'",
    })
    .end(file);
}
