import type { RequestHandler } from 'express';
import { catalogue } from '../errors.ts';
import { languageTags, type Language } from '../messages.ts';
import { entityTag } from './conditions.ts';

/**
 * The document as JSON text, with its summaries and descriptions in Portuguese. Texts without a translation stay
 * English.
 */
async function inPortuguese(document: object): Promise<string> {
  const [{ texts }, { translator }] = await Promise.all([
    import('./portuguese/texts.ts'),
    import('./portuguese/translator.ts'),
  ]);
  const titles = Object.values(catalogue).map(({ title }) => [title.en, title.pt]);
  const translate = translator({ ...Object.fromEntries(titles), ...texts });
  const isText = (key: string): boolean => key === 'summary' || key === 'description';
  return JSON.stringify(document, (key, value: unknown) =>
    isText(key) && typeof value === 'string' ? (translate(value) ?? value) : value,
  );
}

/**
 * Sends the OpenAPI document in the client's preferred language; by default in Portuguese, like errors. Each language
 * is created at first use.
 */
export function openApiInBoth(make: () => object): RequestHandler {
  const made: Partial<Record<Language, Promise<{ json: string; tag: string }>>> = {};

  async function madeIn(language: Language) {
    const json = language === 'pt' ? await inPortuguese(make()) : JSON.stringify(make());
    return { json, tag: entityTag(json) };
  }

  return async (_req, res) => {
    const { language } = res.locals.context;
    const { json, tag } = await (made[language] ??= madeIn(language));
    res.set({ ETag: tag, 'Cache-Control': 'no-cache', 'Content-Language': languageTags[language] });
    // Express answers 304 to a client that has the current document.
    res.vary('Accept-Language').type('json').send(json);
  };
}
