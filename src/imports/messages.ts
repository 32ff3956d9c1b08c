import type { Text, Texts } from '../messages.ts';

/** What a cell must be, in both languages. */
export const said = {
  text: { pt: 'texto', en: 'text' },
  characters: (max: number): Text => ({ pt: `no máximo ${max} caracteres`, en: `at most ${max} characters` }),
  identifier: ({ pt, en }: Text): Text => ({
    pt: `${pt}, sem caracteres invisíveis`,
    en: `${en}, without invisible characters`,
  }),
  oneOf: (values: readonly string[]): Text => ({ pt: values.join(' ou '), en: values.join(' or ') }),
  integer: { pt: 'um número inteiro', en: 'a whole number' },
  wholeFrom: (least: number): Text => ({
    pt: `um número inteiro a partir de ${least}`,
    en: `a whole number from ${least}`,
  }),
  wholeWithin: (least: number, most: number): Text => ({
    pt: `um número inteiro de ${least} a ${most}`,
    en: `a whole number from ${least} to ${most}`,
  }),
  yesOrNo: { pt: 'sim ou não', en: 'sim or não' },
  date: { pt: 'uma data, DD/MM/AAAA ou AAAA-MM-DD', en: 'a date, YYYY-MM-DD or DD/MM/YYYY' },
  timestamp: (first: number, last: number): Text => ({
    pt: `data e hora, DD/MM/AAAA HH:MM:SS ou AAAA-MM-DD HH:MM:SS, de ${first} a ${last}`,
    en: `a timestamp, YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, from ${first} to ${last}`,
  }),
  past: { pt: 'um momento que já passou', en: 'a moment that has passed' },
  decimal: { pt: 'um número como 0,79', en: 'a number such as 0,79' },
  decimalAbove: (floor: number): Text => ({
    pt: `um número maior que ${comma(floor)}`,
    en: `a number above ${floor}`,
  }),
  decimalWithin: (floor: number, most: number): Text => ({
    pt: `um número maior que ${comma(floor)} e no máximo ${comma(most)}`,
    en: `a number above ${floor}, and at most ${most}`,
  }),
  severalByComma: ({ pt, en }: Text): Text => ({
    pt: `${pt}, ou vários separados por vírgulas`,
    en: `${en}, or several separated by commas`,
  }),
  severalByBar: ({ pt, en }: Text): Text => ({
    pt: `${pt}, ou vários separados por |`,
    en: `${en}, or several separated by |`,
  }),
  digits: (most: number): Text => ({ pt: `no máximo ${most} algarismos`, en: `at most ${most} digits` }),
  cpf: { pt: 'um CPF com seus dígitos verificadores', en: 'a CPF with its check digits' },
  cnpj: { pt: 'um CNPJ de 14 letras e algarismos', en: 'a CNPJ of 14 letters and digits' },
  cep: { pt: 'um CEP de 8 algarismos', en: 'a CEP of 8 digits' },
  code: { pt: 'TPN e 8 algarismos', en: 'TPN and 8 digits' },
  ncm: { pt: 'um NCM como 3824.99.89', en: 'an NCM such as 3824.99.89' },
  login: {
    pt: 'um nome de usuário de no máximo 100 caracteres, sem caracteres invisíveis',
    en: 'a user name of at most 100 characters, without invisible characters',
  },
  email: { pt: 'um endereço de e-mail', en: 'an e-mail address' },
  link: {
    pt: 'um endereço que começa com http:// ou https://',
    en: 'an address that begins with http:// or https://',
  },
  value: ({ pt, en }: Text): Text => ({ pt: `um valor: ${pt}`, en: `a value: ${en}` }),
  noColumn: {
    pt: 'nenhum valor em uma coluna sem título',
    en: 'no value in a column without a header',
  },
  column: (records: string): Text => ({ pt: `uma coluna de ${records}`, en: `a column of ${records}` }),
  oneRecord: (table: string): Text => ({
    pt: `exatamente um registro de ${table}`,
    en: `exactly one record of ${table}`,
  }),
  records: (table: string): Text => ({ pt: `registros de ${table}`, en: `records of ${table}` }),
  ofNoEarlierRow: {
    pt: 'um valor que nenhuma linha anterior tem',
    en: 'a value that no earlier row has',
  },
  ofNoOtherRecord: {
    pt: 'um valor que nenhum outro registro tem',
    en: 'a value that no other record has',
  },
  ofOneRecord: { pt: 'um valor que só um registro tem', en: 'a value that only one record has' },
} satisfies Texts;

const comma = (number: number): string => String(number).replace('.', ',');

/** What is wrong with a cell, in both languages. */
export const wrong = {
  missing: { pt: 'Falta o valor.', en: 'The value is missing.' },
  error: {
    pt: 'A célula mostra um erro, ou tem uma fórmula que nenhum programa calculou ainda.',
    en: 'The cell shows an error, or has a formula that no program has calculated yet.',
  },
  cut: {
    pt: 'O texto foi cortado, porque uma célula tem no máximo 32.767 caracteres. Importe o texto inteiro em um csv.',
    en: 'The text was cut, because a cell has at most 32,767 characters. Import the whole text as csv.',
  },
  unreadable: {
    pt: 'A célula tem algo que não é um caractere.',
    en: 'The cell has something that is not a character.',
  },
  malformed: { pt: 'O valor não tem a forma esperada.', en: 'The value does not have the expected form.' },
  headless: { pt: 'A coluna não tem título.', en: 'The column has no header.' },
  unknownColumn: { pt: 'A coluna não pode ser importada.', en: 'The column cannot be imported.' },
  unknown: { pt: 'Não há o registro que o valor nomeia.', en: 'There is no record that the value names.' },
  repeated: {
    pt: 'Uma linha anterior tem este valor, e o resto difere.',
    en: 'An earlier row has this value, and the rest differs.',
  },
  taken: { pt: 'Outro registro já tem este valor.', en: 'Another record has this value.' },
  ambiguous: { pt: 'Mais de um registro tem este valor.', en: 'More than one record has this value.' },
  rule: { pt: 'Uma regra não permite este valor.', en: 'A rule does not allow this value.' },
} satisfies Record<string, Text>;

/** What is wrong in a csv, and in a workbook, in both languages. */
export const csvFaults = {
  quoteWithin: { pt: 'há aspas no meio de uma célula', en: 'a quote is inside a cell' },
  textAfterQuote: {
    pt: 'há um caractere depois das aspas que fecham uma célula',
    en: 'a character comes after the quote that closes a cell',
  },
  quoteOpen: {
    pt: 'as aspas que abrem uma célula não se fecham',
    en: 'the quote that opens a cell is never closed',
  },
  rowTooLong: { pt: 'há caracteres demais', en: 'there are too many characters' },
} satisfies Texts;

export const workbookFaults = {
  damaged: { pt: 'está danificado', en: 'it is damaged' },
  partMissing: { pt: 'falta uma das suas partes', en: 'one of its parts is missing' },
  noSheet: { pt: 'não tem planilha visível', en: 'it has no visible sheet' },
  textMissing: { pt: 'falta o texto de uma célula', en: 'the text of a cell is missing' },
  misplaced: (row: number): Text => ({
    pt: `uma linha ou célula não está no seu lugar, perto da linha ${row}`,
    en: `a row or a cell is not in its place, near row ${row}`,
  }),
} satisfies Texts;

/** Why a file cannot be read, in both languages, without its values. `file` is its name. */
export const unreadable = {
  csv: (file: string, why: Text, row: number): Text => ({
    pt: `${file} não é um CSV bem formado: na linha ${row}, ${why.pt}.`,
    en: `${file} is not well-formed CSV: in row ${row}, ${why.en}.`,
  }),
  encoding: (file: string, encoding: string): Text => ({
    pt: `${file} não está em ${encoding}. Diga a codificação em que foi gravado, ou salve-o como "CSV UTF-8".`,
    en: `${file} is not in ${encoding}. Say the encoding in which it was saved, or save it as "CSV UTF-8".`,
  }),
  damaged: (file: string): Text => ({
    pt: `${file} está em parte em UTF-8 e em parte não. Diga a codificação em que foi gravado, ou salve-o como "CSV UTF-8".`,
    en: `${file} is partly in UTF-8 and partly not. Say the encoding in which it was saved, or save it as "CSV UTF-8".`,
  }),
  workbook: (file: string, why: Text): Text => ({
    pt: `${file} não pode ser lido como planilha (${why.pt}). Salve-o como "Pasta de trabalho do Excel (.xlsx)" e importe-o de novo.`,
    en: `${file} cannot be read as a workbook (${why.en}). Save it as "Excel workbook (.xlsx)" and import it again.`,
  }),
  oldWorkbook: (file: string): Text => ({
    pt: `${file} está no formato antigo .xls, ou protegido por senha. Salve-o sem senha como "Pasta de trabalho do Excel (.xlsx)" e importe-o de novo.`,
    en: `${file} is in the old format .xls, or protected by a password. Save it without a password as "Excel workbook (.xlsx)" and import it again.`,
  }),
  unpacked: (file: string): Text => ({
    pt: `${file} é grande demais depois de descompactado. Divida-o em partes.`,
    en: `${file} is too large when unpacked. Split it.`,
  }),
  columns: (file: string, most: number): Text => ({
    pt: `${file} tem mais de ${most} colunas.`,
    en: `${file} has more than ${most} columns.`,
  }),
  empty: (file: string): Text => ({
    pt: `${file} está vazio: a primeira linha deve nomear as colunas.`,
    en: `${file} is empty: its first row must name the columns.`,
  }),
  headers: (problems: readonly Text[], name: string, columns: string): Text => ({
    pt: `Nada foi importado. As colunas na linha 1 do arquivo estão erradas:\n${problems.map(({ pt }) => `  ${pt}\n`).join('')}Colunas de ${name}: ${columns}`,
    en: `Nothing was imported. The columns in row 1 of the file are wrong:\n${problems.map(({ en }) => `  ${en}\n`).join('')}Columns of ${name}: ${columns}`,
  }),
  unknownHeader: (column: number): Text => ({
    pt: `a coluna ${column} não pode ser importada`,
    en: `column ${column} cannot be imported`,
  }),
  headless: (column: number): Text => ({
    pt: `a coluna ${column} não tem título`,
    en: `column ${column} has no header`,
  }),
  twice: (header: string): Text => ({
    pt: `"${header}" aparece duas vezes`,
    en: `"${header}" appears twice`,
  }),
  missing: (header: string): Text => ({ pt: `"${header}" falta`, en: `"${header}" is missing` }),
  busy: (table: string): Text => ({
    pt: `Nada foi importado: outro programa está gravando em ${table}. Tente de novo mais tarde.`,
    en: `Nothing was imported: another program is writing to ${table}. Try again later.`,
  }),
} satisfies Record<string, (...values: never[]) => Text>;

/** Texts about an import as a whole, in both languages. */
export const jobTexts = {
  noRefusedRows: {
    pt: 'A importação não tem linhas recusadas, ou elas não são mais guardadas.',
    en: 'The import has no refused rows, or they are not kept any more.',
  },
  onLdap: {
    pt: 'estes registros estão no servidor LDAP (LDAP_URL): crie-os lá',
    en: 'these records are on the LDAP server (LDAP_URL): create them there',
  },
  repeats: (row: number): Text => ({
    pt: `Repete a linha ${row}, e foi ignorada.`,
    en: `Repeats row ${row}, and was skipped.`,
  }),
  stopped: {
    pt: 'O serviço foi encerrado durante a importação. Nada foi importado: importe o arquivo de novo.',
    en: 'The service was stopped during the import. Nothing was imported: import the file again.',
  },
  refusedValue: {
    pt: 'O banco de dados não aceita um valor do arquivo.',
    en: 'The database does not accept a value of the file.',
  },
  lost: {
    pt: 'O processo que importava se perdeu, ou a sua conexão com o banco de dados. Nada foi importado: importe o arquivo de novo.',
    en: 'The process that imported was lost, or its connection to the database. Nothing was imported: import the file again.',
  },
  failed: {
    pt: 'A importação falhou por um erro do serviço. Nada foi importado.',
    en: 'The import failed because of an error of the service. Nothing was imported.',
  },
  tooManyImports: {
    pt: 'Há importações demais à espera. Tente de novo em alguns minutos.',
    en: 'Too many imports are waiting. Try again in some minutes.',
  },
} satisfies Texts;
