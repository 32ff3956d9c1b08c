import type { Texts } from '../messages.ts';

/** What people read about REST requests, in both languages. */
export const restTexts = {
  methodNotAllowed: (allowed: string) => ({
    pt: `Este caminho aceita ${allowed}.`,
    en: `This path accepts ${allowed}.`,
  }),
  undecodable: { pt: 'não está codificado em UTF-8 com %', en: 'is not percent-encoded UTF-8' },
  malformedJson: { pt: 'O corpo não é um JSON válido.', en: 'The body is not valid JSON.' },
  bodyNotUtf8: { pt: 'O corpo deve estar em UTF-8.', en: 'The body must be UTF-8.' },
  bodyBrokenOff: { pt: 'O corpo não chegou inteiro.', en: 'The body is incomplete.' },
  notAnObject: { pt: 'O corpo deve ser um objeto JSON.', en: 'The body must be a JSON object.' },
  rangeOutside: (bytes: number) => ({
    pt: `O arquivo tem ${bytes} bytes: nenhum está no intervalo pedido.`,
    en: `The file has ${bytes} bytes: none of them is in the requested range.`,
  }),
  bodyEncoded: {
    pt: 'O corpo com um arquivo deve vir sem Content-Encoding.',
    en: 'A body with a file must not have a Content-Encoding.',
  },
  signedNoFile: {
    pt: 'Um endereço assinado responde apenas com arquivos.',
    en: 'A signed address returns files only.',
  },
  tooLongForPdf: (most: number) => ({
    pt: `O resultado passa de ${most} linhas, o que um PDF não comporta. Peça uma planilha (csv ou xlsx), ou menos linhas, com os filtros.`,
    en: `The result has more than ${most} rows, too many for a PDF. Request a spreadsheet (csv or xlsx), or use the filters to get fewer rows.`,
  }),
  tooLongForSheet: (most: number) => ({
    pt: `O resultado passa de ${most} linhas, mais do que cabe em uma planilha xlsx. Peça csv, ou menos linhas, com os filtros.`,
    en: `The result has more than ${most} rows, too many for an xlsx sheet. Request csv, or use the filters to get fewer rows.`,
  }),
  noVersion: {
    pt: 'O que este caminho altera não tem versão: envie sem If-Match.',
    en: 'The record of this path has no version: send the request without If-Match.',
  },
  tagsUnreadable: {
    pt: 'O cabeçalho If-Match deve ser *, ou uma lista de ETags entre aspas.',
    en: 'The If-Match header must be * or a list of quoted ETags.',
  },
  unknownParameter: (meant: string | undefined) => ({
    pt: `não é um parâmetro${meant ? `; talvez ${meant}` : ''}`,
    en: `is not a parameter${meant ? `; did you mean ${meant}?` : ''}`,
  }),
  inQuery: (name: string) => ({
    pt: `não é um campo do corpo: ${name} é um parâmetro da URL`,
    en: `is not a field of the body: ${name} is a parameter of the URL`,
  }),
  onlyWith: (flag: string) => ({
    pt: `só vale com ${flag}=true na URL`,
    en: `is accepted only with ${flag}=true in the URL`,
  }),
  notOffered: { pt: 'não é oferecido neste caminho', en: 'is not offered on this path' },
  fixed: { pt: 'não muda depois da criação', en: 'does not change after the creation' },
  byMovements: { pt: 'muda só por movimentações', en: 'changes only by movements' },
  byDecision: {
    pt: 'muda só pela decisão (POST /aprova-movimentacoes)',
    en: 'changes only by the decision (POST /aprova-movimentacoes)',
  },
} satisfies Texts;
