import type { Texts } from '../messages.ts';

/** What people read about inputs, in both languages. */
export const inputTexts = {
  onlyWithEntry: { pt: 'só pode ser criado com uma entrada', en: 'can be created only with an entry' },
  mediaType: {
    pt: 'deve ser um tipo de mídia como application/pdf',
    en: 'must be a media type such as application/pdf',
  },
  mostLabels: (most: number) => ({
    pt: `com as cópias seriam mais de ${most} etiquetas`,
    en: `with the copies there would be more than ${most} labels`,
  }),
  nothingToDo: {
    pt: 'indique a ação: envie um dos parâmetros e o corpo que ele exige',
    en: 'name the action: send one of the parameters, and the body that it needs',
  },
  neededFor: (what: string) => ({ pt: `é preciso para ${what}`, en: `is required for ${what}` }),
} satisfies Texts;
