/** A message in both languages of the service (contract 5). */
export interface Text {
  pt: string;
  en: string;
}
export type Language = keyof Text;

/** Messages by name. Some are functions of values. */
export type Texts = Record<string, Text | ((...values: never[]) => Text)>;

/** The language tags for `Content-Language` and HTML. */
export const languageTags: Readonly<Record<Language, string>> = { pt: 'pt-BR', en: 'en' };

/** Portuguese, unless `Accept-Language` gives English a higher weight. */
export function languageOf(header: string | undefined): Language {
  const weight = { pt: 0, en: 0 };
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [, tag, q] = /^\s*(pt|en)\b[^;]*(?:;\s*q=([\d.]+))?/.exec(part) ?? [];
    if (tag === 'pt' || tag === 'en')
      weight[tag] = Math.max(weight[tag], q === undefined ? 1 : Number(q) || 0);
  }
  return weight.en > weight.pt ? 'en' : 'pt';
}

/** Messages that several rooms use. Other messages are in the `messages.ts` of their room. */
export const messages = {
  noSuchRecord: { pt: 'Nenhum registro tem este identificador.', en: 'No record has this identifier.' },
  noSuchPath: { pt: 'Este caminho não existe.', en: 'This path does not exist.' },
  brokenFields: {
    pt: 'Há campos a corrigir: veja errors.',
    en: 'Some fields must be corrected: see errors.',
  },
  bodyNotJson: {
    pt: 'O corpo deve ser application/json em UTF-8.',
    en: 'The body must be application/json in UTF-8.',
  },
  bodyTooLarge: (bytes: number) => ({
    pt: `O corpo passa de ${bytes} bytes.`,
    en: `The body exceeds ${bytes} bytes.`,
  }),
  levelNeeded: (controller: string, level: number) => ({
    pt: `É preciso ter nível ${level} em ${controller}.`,
    en: `Level ${level} on ${controller} is required.`,
  }),
  fileTooLarge: (bytes: number) => ({
    pt: `O arquivo passa de ${bytes} bytes.`,
    en: `The file exceeds ${bytes} bytes.`,
  }),
  resultTooLarge: (cap: number, exported: boolean) => ({
    pt: `A lista passa de ${cap} registros. Use pagination=true${exported ? ' ou a exportação (export=true)' : ''}.`,
    en: `The list has more than ${cap} records. Use pagination=true${exported ? ' or the export (export=true)' : ''}.`,
  }),
  duplicate: {
    pt: 'Já existe um registro com estes valores.',
    en: 'A record with these values already exists.',
  },
  notPending: {
    pt: 'A movimentação não está mais pendente. Uma efetivada se desfaz com um estorno.',
    en: 'The movement is no longer pending. To undo an effective one, register a reversal.',
  },
  changedMeanwhile: {
    pt: 'O registro mudou desde que foi lido. Leia-o de novo e refaça a alteração.',
    en: 'The record has changed since it was read. Read it again and repeat the change.',
  },
};

/** The expected value of a field, by type. */
export const expected = {
  integer: { pt: 'um número inteiro de 32 bits', en: 'a 32-bit integer' },
  number: { pt: 'um número', en: 'a number' },
  boolean: { pt: 'true ou false', en: 'true or false' },
  lenientBoolean: { pt: 'true, false, 1 ou 0', en: 'true, false, 1 or 0' },
  text: { pt: 'um texto', en: 'a string' },
  date: { pt: 'uma data AAAA-MM-DD', en: 'a date YYYY-MM-DD' },
  bigint: {
    pt: 'um número inteiro de 0 a 9223372036854775807',
    en: 'an integer from 0 to 9223372036854775807',
  },
  uuid: { pt: 'um UUID', en: 'a UUID' },
  moment: { pt: 'um momento AAAA-MM-DDThh:mm:ssZ', en: 'a timestamp YYYY-MM-DDThh:mm:ssZ' },
  list: { pt: 'uma lista', en: 'an array' },
  object: { pt: 'um objeto', en: 'an object' },
} satisfies Record<string, Text>;

/** Errors of a single field. */
export const fieldMessages = {
  required: { pt: 'é obrigatório', en: 'is required' },
  notNull: { pt: 'não pode ser nulo', en: 'must not be null' },
  type: (expected: Text) => ({ pt: `deve ser ${expected.pt}`, en: `must be ${expected.en}` }),
  repeated: { pt: 'foi dado mais de uma vez', en: 'is given more than once' },
  oneOf: (values: readonly string[]) => ({
    pt: `deve ser um destes: ${values.join(', ')}`,
    en: `must be one of: ${values.join(', ')}`,
  }),
  min: (min: number) => ({ pt: `deve ser no mínimo ${min}`, en: `must be at least ${min}` }),
  max: (max: number) => ({ pt: `deve ser no máximo ${max}`, en: `must be at most ${max}` }),
  notEmpty: { pt: 'não pode ser vazio', en: 'must not be empty' },
  notBlank: { pt: 'não pode ficar em branco', en: 'must not be blank' },
  identifier: {
    pt: 'não pode ter caracteres invisíveis, nem espaços no início ou no fim',
    en: 'must not have invisible characters, or blanks at its ends',
  },
  unknownReference: { pt: 'não corresponde a nenhum registro', en: 'does not refer to an existing record' },
  atLeastOne: { pt: 'deve ter ao menos um item', en: 'must have at least one item' },
  reversible: (quantity: number) => ({
    pt: `podem ser estornados ${quantity}`,
    en: `${quantity} can be reversed`,
  }),
  repeatedValue: { pt: 'já é usado por outro registro', en: 'is already used by another record' },
  unreadableText: { pt: 'tem caracteres inválidos', en: 'has invalid characters' },
  base64: {
    pt: 'deve ser base64 (RFC 4648, com preenchimento)',
    en: 'must be base64 (RFC 4648, padded)',
  },
  beforeStart: { pt: 'não pode ser antes do início', en: 'must not be before the start' },
  notAPerson: { pt: 'é uma conta gerencial, não uma pessoa', en: 'is a managerial account, not a person' },
  notWith: (other: string) => ({
    pt: `não pode ser combinado com ${other}`,
    en: `cannot be combined with ${other}`,
  }),
  oneAtATime: { pt: 'não pode ser combinado com os outros', en: 'cannot be combined with the others' },
  useIsNull: { pt: 'não pode ser nulo: use isNull: true', en: 'must not be null: use isNull: true' },
  filterDepth: (most: number) => ({
    pt: `o filtro tem mais de ${most} níveis`,
    en: `the filter has more than ${most} levels`,
  }),
  filterValues: (most: number) => ({
    pt: `as listas do filtro têm mais de ${most} valores`,
    en: `the lists of the filter have more than ${most} values`,
  }),
  mayNotRead: { pt: 'não pode ser lido por quem pergunta', en: 'may not be read by the caller' },
  oneMember: { pt: 'deve ter exatamente um membro', en: 'must have exactly one member' },
};
