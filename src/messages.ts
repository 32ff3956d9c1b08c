/** A message in both languages of the service (contract 5). */
export interface Text {
  pt: string;
  en: string;
}
export type Language = keyof Text;

/** The languages as `Content-Language` and HTML name them. */
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

/** Messages about requests and fields that several places use, or that clients may want to recognise. */
export const messages = {
  noSuchRecord: { pt: 'Nenhum registro tem este identificador.', en: 'No record has this identifier.' },
  noSuchPath: { pt: 'Este caminho não existe.', en: 'This path does not exist.' },
  subscribeByEvents: {
    pt: 'Assinaturas são respondidas como eventos: envie Accept: text/event-stream, ou use WebSocket.',
    en: 'Subscriptions are answered as events: send Accept: text/event-stream, or use WebSocket.',
  },
  subscriptionsOnly: {
    pt: 'Aqui se respondem só assinaturas. Envie consultas e mutações por POST a /graphql.',
    en: 'Only subscriptions are answered here. Send queries and mutations by POST to /graphql.',
  },
  methodNotAllowed: (allowed: string) => ({
    pt: `Este caminho aceita ${allowed}.`,
    en: `This path accepts ${allowed}.`,
  }),
  brokenFields: {
    pt: 'Há campos a corrigir: veja errors.',
    en: 'Some fields must be corrected: see errors.',
  },
  undecodable: {
    pt: 'O endereço não está codificado em UTF-8 com %.',
    en: 'The URL is not percent-encoded UTF-8.',
  },
  notHttp: { pt: 'A requisição não é HTTP.', en: 'The request is not valid HTTP.' },
  headersTooLarge: (bytes: number) => ({
    pt: `Endereço e cabeçalhos passam de ${bytes} bytes.`,
    en: `URL and headers exceed ${bytes} bytes.`,
  }),
  requestTooSlow: {
    pt: 'A requisição não chegou a tempo.',
    en: 'The request did not arrive in time.',
  },
  bodyBrokenOff: { pt: 'O corpo não chegou inteiro.', en: 'The body is incomplete.' },
  malformedJson: { pt: 'O corpo não é um JSON válido.', en: 'The body is not valid JSON.' },
  notAnObject: { pt: 'O corpo deve ser um objeto JSON.', en: 'The body must be a JSON object.' },
  bodyNotJson: {
    pt: 'O corpo deve ser application/json em UTF-8.',
    en: 'The body must be application/json in UTF-8.',
  },
  encodingUnknown: (encodings: string) => ({
    pt: `O Content-Encoding do corpo deve ser um destes: ${encodings}.`,
    en: `The Content-Encoding of the body must be one of ${encodings}.`,
  }),
  bodyTooLarge: (bytes: number) => ({
    pt: `O corpo passa de ${bytes} bytes.`,
    en: `The body exceeds ${bytes} bytes.`,
  }),
  tokenNeeded: {
    pt: 'Envie no cabeçalho token um token válido.',
    en: 'Send a valid token in the token header.',
  },
  apiKeyNeeded: {
    pt: 'Envie nos cabeçalhos app-name e api-key as credenciais do sistema.',
    en: "Send the calling system's credentials in the app-name and api-key headers.",
  },
  levelNeeded: (controller: string, level: number) => ({
    pt: `É preciso ter nível ${level} em ${controller}.`,
    en: `Level ${level} on ${controller} is required.`,
  }),
  lastAdministrator: {
    pt: 'Ninguém mais administraria o serviço: é preciso restar alguém com nível 3 em tudo.',
    en: 'This would remove the last administrator: at least one person must keep level 3 on everything.',
  },
  mustManage: (what: string) => ({
    pt: `Só concede isto quem tem nível 3 em ${what}.`,
    en: `Only a person with level 3 on ${what} may grant this.`,
  }),
  mustManageAll: {
    pt: 'Só age por outra pessoa quem tem nível 3 em tudo o que ela tem.',
    en: 'To act for another person, you need level 3 on everything that their profiles grant.',
  },
  tooManyKeys: (most: number) => ({
    pt: `O sistema já tem ${most} chaves vivas. Revogue uma antes.`,
    en: `The system already has ${most} active keys. Revoke one first.`,
  }),
  lastKey: {
    pt: 'É a última chave viva do sistema pelo qual você entrou. Emita outra antes.',
    en: 'This is the last active key of the system through which you logged in. Issue another one first.',
  },
  loginFailed: { pt: 'Usuário ou senha inválidos.', en: 'Wrong user name or password.' },
  tooManyAttempts: (seconds: number) => ({
    pt: `Tentativas demais. Tente de novo em ${seconds} s.`,
    en: `Too many attempts. Try again in ${seconds} s.`,
  }),
  databaseAway: {
    pt: 'O banco de dados não responde. Tente de novo em instantes.',
    en: 'The database is not responding. Try again shortly.',
  },
  databaseReadOnly: {
    pt: 'O banco de dados não aceita alterações no momento; as consultas funcionam. Tente de novo em instantes.',
    en: 'The database is read-only at the moment; reads work. Try again shortly.',
  },
  outcomeUnknown: {
    pt: 'O banco de dados não confirmou a gravação, que pode ter sido feita ou não. Com Idempotency-Key, envie a requisição de novo; sem ela, confira antes.',
    en: 'The database did not confirm the change. It may have been made or not. With an Idempotency-Key, send the request again; without one, check first.',
  },
  tookTooLong: {
    pt: 'A requisição demorou demais e foi abandonada. Se ela grava algo, isso pode ter sido feito ou não: com Idempotency-Key, envie-a de novo; sem ela, confira antes.',
    en: 'The request timed out. If it changes data, the change may have been made or not. With an Idempotency-Key, send it again; without one, check first.',
  },
  overloaded: {
    pt: 'Há requisições demais em curso. Tente de novo em instantes.',
    en: 'Too many requests are running. Try again shortly.',
  },
  tooManyWrites: {
    pt: 'Há gravações demais à espera umas das outras. Nada foi gravado. Tente de novo em instantes.',
    en: 'Too many writes are waiting. Nothing was written. Try again shortly.',
  },
  recordHeld: {
    pt: 'Outra gravação ocupa o mesmo registro há tempo demais. Nada foi gravado. Tente de novo em instantes.',
    en: 'Another write has locked the same record for too long. Nothing was written. Try again shortly.',
  },
  tooBusy: {
    pt: 'Há exportações demais em curso. Tente de novo em instantes.',
    en: 'Too many exports are running. Try again shortly.',
  },
  tooManyDocuments: {
    pt: 'Há documentos demais em preparo. Tente de novo em instantes.',
    en: 'Too many documents are being prepared. Try again shortly.',
  },
  yourExports: (most: number) => ({
    pt: `Você já tem ${most} exportação(ões) em curso, o máximo por pessoa. Espere que uma termine.`,
    en: `You already have ${most} export(s) running, the maximum per person. Wait until one ends.`,
  }),
  yourDocuments: (most: number) => ({
    pt: `Você já tem ${most} documentos em preparo, o máximo por pessoa. Espere que um termine.`,
    en: `You already have ${most} documents in preparation, the maximum per person. Wait until one is ready.`,
  }),
  yourImports: (most: number) => ({
    pt: `Você já tem ${most} importações em andamento, o máximo por pessoa. Espere que uma termine.`,
    en: `You already have ${most} imports in progress, the maximum per person. Wait until one ends.`,
  }),
  yourSubscriptions: (most: number) => ({
    pt: `Você já tem ${most} assinaturas abertas, o máximo por pessoa. Feche uma delas.`,
    en: `You already have ${most} subscriptions open, the maximum per person. Close one of them.`,
  }),
  tooManyImports: {
    pt: 'Há importações demais à espera. Tente de novo em alguns minutos.',
    en: 'Too many imports are waiting. Try again in some minutes.',
  },
  noRefusedRows: {
    pt: 'A importação não tem linhas recusadas, ou elas não são mais guardadas.',
    en: 'The import has no refused rows, or they are not kept any more.',
  },
  yourTransfers: (most: number) => ({
    pt: `Você já envia ou baixa ${most} arquivos, o máximo por pessoa. Espere que um termine.`,
    en: `You already have ${most} uploads and downloads running, the maximum per person. Wait until one ends.`,
  }),
  yourContents: (bytes: number) => ({
    pt: `Você já lê conteúdos de arquivos demais: por pessoa são no máximo ${bytes} bytes de uma vez. Espere que uma leitura termine, ou leia com Accept: application/octet-stream.`,
    en: `You are reading too many file contents: the maximum per person is ${bytes} bytes at a time. Wait until a read ends, or read with Accept: application/octet-stream.`,
  }),
  storageAway: {
    pt: 'O armazenamento de arquivos não responde. Tente de novo em instantes.',
    en: 'The file storage is not responding. Try again shortly.',
  },
  contentDamaged: {
    pt: 'O conteúdo do arquivo se perdeu ou está corrompido no armazenamento. Avise quem administra o serviço.',
    en: "The file's content is missing or damaged in the storage. Tell the service's administrator.",
  },
  contentsTooLarge: (bytes: number) => ({
    pt: `O conteúdo dos arquivos passa de ${bytes} bytes. Use apenasInformacao=true (em GraphQL, não peça conteudo) e leia um arquivo por vez.`,
    en: `The contents of the files exceed ${bytes} bytes. Use apenasInformacao=true (in GraphQL, do not select conteudo) and read one file at a time.`,
  }),
  checksTooLarge: (bytes: number) => ({
    pt: `Os arquivos a verificar passam de ${bytes} bytes. Verifique menos de cada vez, com os filtros.`,
    en: `The files to check exceed ${bytes} bytes. Use the filters to check fewer at a time.`,
  }),
  tooManyContents: {
    pt: 'Há conteúdos de arquivos demais sendo lidos. Tente de novo em instantes, ou leia com Accept: application/octet-stream.',
    en: 'Too many file contents are being read. Try again shortly, or read with Accept: application/octet-stream.',
  },
  fileTooLarge: (bytes: number) => ({
    pt: `O arquivo passa de ${bytes} bytes.`,
    en: `The file exceeds ${bytes} bytes.`,
  }),
  rangeOutside: (bytes: number) => ({
    pt: `O arquivo tem ${bytes} bytes: nenhum está no intervalo pedido.`,
    en: `The file has ${bytes} bytes: none of them is in the requested range.`,
  }),
  bodyEncoded: {
    pt: 'O corpo com um arquivo deve vir sem Content-Encoding.',
    en: 'A body with a file must not have a Content-Encoding.',
  },
  unexpected: {
    pt: 'Erro inesperado. Informe o X-Request-Id a quem administra o serviço.',
    en: "Unexpected error. Report the X-Request-Id to the service's administrator.",
  },
  resultTooLarge: (cap: number, exported: boolean) => ({
    pt: `A lista passa de ${cap} registros. Use pagination=true${exported ? ' ou a exportação (export=true)' : ''}.`,
    en: `The list has more than ${cap} records. Use pagination=true${exported ? ' or the export (export=true)' : ''}.`,
  }),
  directoryTooLarge: (cap: number) => ({
    pt: `O diretório responderia mais de ${cap} entradas. Peça uma pessoa com employeetype, ou só as contas gerenciais com retornarContasGerenciais=true.`,
    en: `The directory would answer more than ${cap} entries. Ask for one person with employeetype, or for managerial accounts alone with retornarContasGerenciais=true.`,
  }),
  tooManyRequests: {
    pt: 'Há requisições suas demais em andamento. Tente de novo em instantes.',
    en: 'Too many of your requests are running. Try again shortly.',
  },
  pagesTooLarge: (requested: number, most: number) => ({
    pt: `As páginas pedidas podem ter ${requested} registros ao todo, e uma requisição lê no máximo ${most} registros. Diminua itemsPerPage.`,
    en: `The requested pages may contain ${requested} records in total, but a request reads at most ${most}. Lower itemsPerPage.`,
  }),
  answerTooLarge: (rows: number, bytes: number) => ({
    pt: `A requisição leria mais de ${rows} registros, ou responderia mais de ${bytes} bytes. Peça menos registros, menos campos ou menos níveis de listas.`,
    en: `The request would read more than ${rows} records or return more than ${bytes} bytes. Request fewer records, fewer fields or fewer nested lists.`,
  }),
  signedNoFile: {
    pt: 'Um endereço assinado responde apenas com arquivos.',
    en: 'A signed address answers with files only.',
  },
  tooLongForPdf: (most: number) => ({
    pt: `O resultado passa de ${most} linhas, o que um PDF não comporta. Peça uma planilha (csv ou xlsx), ou menos linhas, com os filtros.`,
    en: `The result has more than ${most} rows, too many for a PDF. Request a spreadsheet (csv or xlsx), or use the filters to get fewer rows.`,
  }),
  tooMuchForPdf: {
    pt: 'O resultado tem texto demais para um PDF. Peça uma planilha (csv ou xlsx), ou menos linhas, com os filtros.',
    en: 'The result has too much text for a PDF. Request a spreadsheet (csv or xlsx), or use the filters to get fewer rows.',
  },
  tooLongForSheet: (most: number) => ({
    pt: `O resultado passa de ${most} linhas, mais do que cabe em uma planilha xlsx. Peça csv, ou menos linhas, com os filtros.`,
    en: `The result has more than ${most} rows, too many for an xlsx sheet. Request csv, or use the filters to get fewer rows.`,
  }),
  duplicate: {
    pt: 'Já existe um registro com estes valores.',
    en: 'A record with these values already exists.',
  },
  referencedBy: (what: Text) => ({
    pt: `O registro é usado por ${what.pt}.`,
    en: `The record is used by ${what.en}.`,
  }),
  overlaps: {
    pt: 'O período se sobrepõe a outro já registrado.',
    en: 'The period overlaps another registered period.',
  },
  numberTooLarge: {
    pt: 'O resultado passa do maior número que se pode guardar.',
    en: 'The result is too large to be stored.',
  },
  notPending: {
    pt: 'A movimentação não está mais pendente. Uma efetivada se desfaz com um estorno.',
    en: 'The movement is no longer pending. To undo an effective one, register a reversal.',
  },
  twoPersons: {
    pt: 'Quem registrou ou alterou a movimentação não decide sobre ela: peça a outra pessoa.',
    en: 'Who registered or changed the movement does not decide it. Ask another person.',
  },
  restrictedPlaces: (names: readonly string[]) => ({
    pt: `Só quem responde pelo local, ou tem nível 3 em movimentações, retira estoque de: ${names.join(', ')}.`,
    en: `Only the managers of the location, or who has level 3 on movements, take stock out of: ${names.join(', ')}.`,
  }),
  batchExpired: {
    pt: 'O lote está vencido: descarte-o, ou confirme que sabe disso.',
    en: 'The batch has expired. Dispose of it, or confirm that you know.',
  },
  expiredWarning: {
    pt: 'O lote está vencido.',
    en: 'The batch has expired.',
  },
  mapNotSent: {
    pt: 'Este aviso termina quando o envio do mapa é registrado.',
    en: 'This alert ends when it is registered that the map was sent.',
  },
  changedMeanwhile: {
    pt: 'O registro mudou desde que foi lido. Leia-o de novo e refaça a alteração.',
    en: 'The record has changed since it was read. Read it again and repeat the change.',
  },
  noVersion: {
    pt: 'O que este caminho altera não tem versão: envie sem If-Match.',
    en: 'The record of this path has no version: send the request without If-Match.',
  },
  tagsUnreadable: {
    pt: 'O cabeçalho If-Match deve ser *, ou uma lista de ETags entre aspas.',
    en: 'The If-Match header must be * or a list of quoted ETags.',
  },
  keyUnusable: {
    pt: 'O cabeçalho Idempotency-Key deve ter de 1 a 255 caracteres visíveis de ASCII.',
    en: 'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  },
  otherRequest: {
    pt: 'Esta Idempotency-Key já foi usada por outra requisição. Use uma nova para cada uma.',
    en: 'This Idempotency-Key was used for another request. Use a new one for each request.',
  },
  stillRunning: {
    pt: 'A primeira requisição com esta Idempotency-Key ainda está em curso. Tente de novo em instantes.',
    en: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  },
  batchHasMoved: {
    pt: 'O lote já foi movimentado: seu material não muda mais.',
    en: 'The batch has movements, so its material cannot change.',
  },
  otherControl: {
    pt: 'O novo material tem outra exigência de aprovação: exclua o lote e registre-o de novo.',
    en: 'One of the two materials requires approval and the other does not. Delete the batch and create it again.',
  },
  placeIsFact: {
    pt: 'O local de um lote já registrado só muda por uma movimentação.',
    en: 'The place of a batch in stock can be changed only by a movement.',
  },
  severalInvoices: {
    pt: 'O lote entrou com mais de uma nota fiscal: sua quantidade só muda por uma movimentação.',
    en: 'The batch entered with several invoices, so its quantity can be changed only by a movement.',
  },
  noFeed: {
    pt: 'O serviço não tem canal de notícias (NEWS_FEED_URL). Peça a quem administra o serviço.',
    en: "The service has no news feed (NEWS_FEED_URL). Ask the service's administrator.",
  },
  feedUnreadable: {
    pt: 'O canal de notícias não pôde ser lido agora, e nada mudou. O registro do serviço diz por quê.',
    en: 'The news feed could not be read now, and nothing changed. The log of the service says why.',
  },
  mapNeedsCnpj: {
    pt: 'O arquivo do mapa precisa do CNPJ da instituição (INSTITUTION_CNPJ). Peça a quem administra o serviço.',
    en: "The file of the map needs the institution's CNPJ (INSTITUTION_CNPJ). Ask the service's administrator.",
  },
  mapIncomplete: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} ainda não pode ser escrito: faltam dados. Veja pendenciasMapa.`,
    en: `The map of ${mes}/${ano} cannot be written yet: data are missing. See pendenciasMapa.`,
  }),
  mapUnwritable: (what: string) => ({
    pt: `O arquivo do mapa não comporta um valor: ${what}.`,
    en: `The file of the map cannot hold a value: ${what}.`,
  }),
  mapOtherDirection: (numero: string) => ({
    pt: `A operação ou a armazenagem da nota fiscal ${numero} é do outro sentido: entradas têm operações E, saídas têm S.`,
    en: `The operation or the storage of the invoice ${numero} is of the other direction: entries have operations E, exits S.`,
  }),
  mapWithFindings: {
    pt: 'O mês tem pendências: resolva-as (veja pendenciasMapa), ou confirme que sabe delas.',
    en: 'The month has findings: resolve them (see pendenciasMapa), or confirm that you know of them.',
  },
  monthNotOver: {
    pt: 'O mês ainda não terminou.',
    en: 'The month is not over yet.',
  },
  mapIsClosed: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} está fechado. Registre a correção no mês corrente (o que espera aprovação pode ser rejeitado e registrado de novo), ou reabra o mapa com reabrirMapa.`,
    en: `The map of ${mes}/${ano} is closed. Register the correction in the current month (what waits for approval can be rejected and registered anew), or reopen the map with reabrirMapa.`,
  }),
  mapClosedAlready: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} já está fechado.`,
    en: `The map of ${mes}/${ano} is closed already.`,
  }),
  mapNotClosed: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} não está fechado.`,
    en: `The map of ${mes}/${ano} is not closed.`,
  }),
  mapSentAlready: (protocolo: string) => ({
    pt: `O envio deste fechamento já foi registrado, com o protocolo ${protocolo}.`,
    en: `This closing is registered as sent already, with the protocol ${protocolo}.`,
  }),
  directoryAway: {
    pt: 'O diretório não responde. Tente de novo em instantes.',
    en: 'The directory is not responding. Try again shortly.',
  },
  directoryFixed: {
    pt: 'O diretório não deixa mudar este atributo, que dá nome à entrada.',
    en: 'The directory does not allow changing this attribute, because it names the entry.',
  },
  directoryRefuses: {
    pt: 'O diretório não aceita este valor.',
    en: 'The directory does not accept this value.',
  },
  accountHasPassword: {
    pt: 'A conta já tem senha: anexe-a com a senha.',
    en: 'The account already has a password. Use it to attach the account.',
  },
  accountSuspended: { pt: 'A conta está suspensa.', en: 'The account is suspended.' },
  accountHeldAlready: {
    pt: 'A pessoa já é responsável por esta conta.',
    en: 'The person already holds this account.',
  },
};

/** What a field must be, by type. */
export const expected = {
  integer: { pt: 'um número inteiro de 32 bits', en: 'a 32-bit integer' },
  number: { pt: 'um número', en: 'a number' },
  boolean: { pt: 'true ou false', en: 'true or false' },
  lenientBoolean: { pt: 'true, false, 1 ou 0', en: 'true, false, 1 or 0' },
  text: { pt: 'um texto', en: 'a string' },
  date: { pt: 'uma data AAAA-MM-DD', en: 'a date YYYY-MM-DD' },
  moment: { pt: 'um momento AAAA-MM-DDThh:mm:ssZ', en: 'a timestamp YYYY-MM-DDThh:mm:ssZ' },
  list: { pt: 'uma lista', en: 'an array' },
  object: { pt: 'um objeto', en: 'an object' },
} satisfies Record<string, Text>;

/** Errors of a single field. */
export const fieldMessages = {
  required: { pt: 'é obrigatório', en: 'is required' },
  unknown: { pt: 'não é um campo conhecido', en: 'is not a known field' },
  unknownParameter: (meant: string | undefined) => ({
    pt: `não é um parâmetro${meant ? `; talvez ${meant}` : ''}`,
    en: `is not a parameter${meant ? `; did you mean ${meant}?` : ''}`,
  }),
  notOffered: { pt: 'não é oferecido neste caminho', en: 'is not offered on this path' },
  fixed: { pt: 'não muda depois da criação', en: 'does not change after the creation' },
  servicePath: {
    pt: 'deve ser um caminho deste serviço, como /relatorios/…?pdf=true',
    en: 'must be a path of this service, such as /relatorios/…?pdf=true',
  },
  notNull: { pt: 'não pode ser nulo', en: 'must not be null' },
  type: (expected: Text) => ({ pt: `deve ser ${expected.pt}`, en: `must be ${expected.en}` }),
  repeated: { pt: 'foi dado mais de uma vez', en: 'is given more than once' },
  oneOf: (values: readonly string[]) => ({
    pt: `deve ser um destes: ${values.join(', ')}`,
    en: `must be one of: ${values.join(', ')}`,
  }),
  maxLength: (max: number) => ({
    pt: `deve ter no máximo ${max} caracteres`,
    en: `must have at most ${max} characters`,
  }),
  minLength: (min: number) => ({
    pt: `deve ter no mínimo ${min} caracteres`,
    en: `must have at least ${min} characters`,
  }),
  min: (min: number) => ({ pt: `deve ser no mínimo ${min}`, en: `must be at least ${min}` }),
  max: (max: number) => ({ pt: `deve ser no máximo ${max}`, en: `must be at most ${max}` }),
  notEmpty: { pt: 'não pode ser vazio', en: 'must not be empty' },
  unknownReference: { pt: 'não corresponde a nenhum registro', en: 'does not refer to an existing record' },
  atLeastOne: { pt: 'deve ter ao menos um item', en: 'must have at least one item' },
  inStock: (quantity: number) => ({ pt: `há ${quantity} em estoque`, en: `${quantity} in stock` }),
  confirmExpiry: {
    pt: 'deve ser true, porque o lote está vencido',
    en: 'must be true, because the batch has expired',
  },
  confirmFindings: {
    pt: 'deve ser true, porque o mês tem pendências',
    en: 'must be true, because the month has findings',
  },
  reversible: (quantity: number) => ({
    pt: `podem ser estornados ${quantity}`,
    en: `${quantity} can be reversed`,
  }),
  reversalStands: {
    pt: 'é um estorno, que não se estorna: registre a movimentação de novo',
    en: 'is a reversal, which cannot be reversed: register the movement again',
  },
  samePlace: { pt: 'deve ser diferente da origem', en: 'must differ from the origin' },
  onlyWithEntry: { pt: 'só pode ser criado com uma entrada', en: 'can be created only with an entry' },
  otherLink: { pt: 'não corresponde a id_perfil_recurso', en: 'does not match id_perfil_recurso' },
  changed: { pt: 'não pode ser mudado', en: 'cannot be changed' },
  repeatedValue: { pt: 'já é usado por outro registro', en: 'is already used by another record' },
  unreadableText: { pt: 'tem caracteres inválidos', en: 'has invalid characters' },
  cnpj: {
    pt: 'não é um CNPJ: 12 letras ou dígitos e 2 dígitos',
    en: 'is not a CNPJ: 12 letters or digits and 2 digits',
  },
  cep: { pt: 'não é um CEP: 8 dígitos', en: 'is not a CEP: 8 digits' },
  codePf: { pt: 'deve ser TPN e 8 dígitos', en: 'must be TPN and 8 digits' },
  ncm: { pt: 'deve ser um NCM como 3824.99.89', en: 'must be an NCM such as 3824.99.89' },
  density: { pt: 'deve estar entre 0,01 e 99,99', en: 'must be between 0.01 and 99.99' },
  percent: { pt: 'deve ser uma porcentagem', en: 'must be a percentage' },
  base64: {
    pt: 'deve ser base64 (RFC 4648, com preenchimento)',
    en: 'must be base64 (RFC 4648, padded)',
  },
  link: {
    pt: 'deve ser um endereço que começa com http:// ou https://',
    en: 'must be an address that begins with http:// or https://',
  },
  picture: {
    pt: 'deve ser um endereço que começa com http://, https:// ou data:image/',
    en: 'must be an address that begins with http://, https:// or data:image/',
  },
  mediaType: {
    pt: 'deve ser um tipo de mídia como application/pdf',
    en: 'must be a media type such as application/pdf',
  },
  beforeStart: { pt: 'não pode ser antes do início', en: 'must not be before the start' },
  mostLabels: (most: number) => ({
    pt: `com as cópias seriam mais de ${most} etiquetas`,
    en: `with the copies there would be more than ${most} labels`,
  }),
  withinDays: (most: number) => ({
    pt: `deve ser um dia de hoje até daqui a ${most} dias`,
    en: `must be a day from today to ${most} days from now`,
  }),
  notAllowed: { pt: 'não é um valor permitido', en: 'is not an allowed value' },
  mustBeInFuture: { pt: 'deve estar no futuro', en: 'must be in the future' },
  notWith: (other: string) => ({
    pt: `não pode ser combinado com ${other}`,
    en: `cannot be combined with ${other}`,
  }),
  email: { pt: 'não é um endereço de e-mail', en: 'is not an e-mail address' },
  cpf: { pt: 'não é um CPF com seus dígitos verificadores', en: 'is not a CPF with its check digits' },
  notAnAccount: { pt: 'não é uma conta gerencial', en: 'is not a managerial account' },
  suspended: { pt: 'está suspensa ou inativa', en: 'is suspended or inactive' },
  notAHolder: { pt: 'não é responsável por esta conta', en: 'does not hold this account' },
  notAPerson: { pt: 'é uma conta gerencial, não uma pessoa', en: 'is a managerial account, not a person' },
  deadCode: { pt: 'está errado, já foi usado ou expirou', en: 'is wrong, already used or expired' },
  wrongPassword: { pt: 'não é a senha da conta', en: "is not the account's password" },
  refusedPassword: { pt: 'foi recusada pelo diretório', en: 'was refused by the directory' },
  nothingToDo: {
    pt: 'indique a ação: envie um dos parâmetros e o corpo que ele exige',
    en: 'name the action: send one of the parameters, and the body that it needs',
  },
  oneAtATime: { pt: 'não pode ser combinado com os outros', en: 'cannot be combined with the others' },
  wholeOnly: {
    pt: 'o diretório só compara valores inteiros: use eq ou in',
    en: 'the directory compares whole values only: use eq or in',
  },
  useIsNull: { pt: 'não pode ser nulo: use isNull: true', en: 'must not be null: use isNull: true' },
  filterDepth: (most: number) => ({
    pt: `o filtro tem mais de ${most} níveis`,
    en: `the filter has more than ${most} levels`,
  }),
  filterMembers: (most: number) => ({
    pt: `o filtro tem mais de ${most} membros`,
    en: `the filter has more than ${most} members`,
  }),
  filterValues: (most: number) => ({
    pt: `as listas do filtro têm mais de ${most} valores`,
    en: `the lists of the filter have more than ${most} values`,
  }),
  mayNotRead: { pt: 'não pode ser lido por quem pergunta', en: 'may not be read by the caller' },
  notGrouped: (path: string) => ({
    pt: `não agrupa por ${path}`,
    en: `does not group by ${path}`,
  }),
  oneMember: { pt: 'deve ter exatamente um membro', en: 'must have exactly one member' },
  noCursor: { pt: 'não é um cursor', en: 'is not a cursor' },
  otherCursor: {
    pt: 'não é um cursor desta lista com estes filtros e esta ordem',
    en: 'is not a cursor of this list with these filters and this order',
  },
  notWithPage: { pt: 'não pode ser combinado com page', en: 'cannot be combined with page' },
  neededFor: (what: string) => ({ pt: `é preciso para ${what}`, en: `is required for ${what}` }),
  notUserName: { pt: 'não pode ser o nome do usuário', en: 'must not be the user name' },
};
