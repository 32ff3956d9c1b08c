import type { Texts } from '../messages.ts';

/** What people read about people, logins, keys and permissions, in both languages. */
export const accountTexts = {
  lastAdministrator: {
    pt: 'Ninguém mais administraria o serviço: é preciso restar alguém com nível 3 em tudo que possa entrar. Sem servidor LDAP, só entra quem tem senha: defina-a antes, com PUT /auth/senha.',
    en: 'This would remove the last administrator: at least one person with level 3 on everything must be able to log in. Without an LDAP server that takes a password: set it first, with PUT /auth/senha.',
  },
  mustManage: (what: string) => ({
    pt: `Só concede isto quem tem nível 3 em ${what}.`,
    en: `Only a person with level 3 on ${what} may grant this.`,
  }),
  tooManyKeys: (most: number) => ({
    pt: `O sistema já tem ${most} chaves vivas. Revogue uma antes.`,
    en: `The system already has ${most} active keys. Revoke one first.`,
  }),
  ownWayIn: {
    pt: 'Ninguém mais entraria pelo sistema pelo qual você entrou: ele deve continuar ativo, com uma chave viva. Para revogar a última, emita outra antes.',
    en: 'This would close the system through which you logged in: it must stay active, with an active key. To revoke the last key, issue another one first.',
  },
  lastWayIn: {
    pt: 'Ninguém mais entraria no serviço: é preciso restar um sistema ativo com uma chave viva.',
    en: 'Nobody could log in any more: at least one active system must keep an active key.',
  },
  lastLastingKey: {
    pt: 'Todas as chaves restantes expiram, e depois ninguém mais entraria no serviço. Emita antes, em um sistema ativo, uma chave que não expire (emitirChaveApi).',
    en: 'All remaining keys expire, and then nobody could log in any more. First issue a key that never expires for an active system (emitirChaveApi).',
  },
  ownEntryAway: {
    pt: 'O diretório não encontra sua entrada, ou encontra mais de uma, e sua senha está nele. Avise quem administra o diretório.',
    en: "The directory, which stores your password, does not find your entry, or finds several. Tell the directory's administrator.",
  },
  noKey: {
    pt: 'O sistema não tem chave viva. Emita uma antes, com emitirChaveApi.',
    en: 'The system has no active key. Issue one first, with emitirChaveApi.',
  },
  loginFailed: { pt: 'Usuário ou senha inválidos.', en: 'Wrong user name or password.' },
  otherLink: { pt: 'não corresponde a id_perfil_recurso', en: 'does not match id_perfil_recurso' },
  mustBeInFuture: { pt: 'deve estar no futuro', en: 'must be in the future' },
  email: { pt: 'não é um endereço de e-mail', en: 'is not an e-mail address' },
  cpf: { pt: 'não é um CPF com seus dígitos verificadores', en: 'is not a CPF with its check digits' },
  notUserName: { pt: 'não pode ser o nome do usuário', en: 'must not be the user name' },
  othersAddress: {
    pt: 'é o endereço de outra entrada do diretório',
    en: 'is the address of another entry of the directory',
  },
  entryTaken: {
    pt: 'é outro nome de usuário de uma pessoa já cadastrada',
    en: 'is another user name of a person who is already registered',
  },
  dismissed: {
    pt: 'foi desligada: admita a pessoa de novo (POST /permissoes/pessoas)',
    en: 'was dismissed: admit the person again (POST /permissoes/pessoas)',
  },
} satisfies Texts;

/** What people read about digital files, in both languages. */
export const fileTexts = {
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
} satisfies Texts;

/** What people read about batches, invoices and movements, in both languages. */
export const stockTexts = {
  twoPersons: {
    pt: 'Quem registrou ou alterou a movimentação não decide sobre ela: peça a outra pessoa.',
    en: 'The person who registered or changed the movement cannot decide it. Ask another person.',
  },
  restrictedPlaces: (names: readonly string[]) => ({
    pt: `Só quem responde pelo local, ou tem nível 3 em movimentações, retira estoque de: ${names.join(', ')}.`,
    en: `Only the managers of the location, or people with level 3 on movements, may take stock out of: ${names.join(', ')}.`,
  }),
  batchExpired: {
    pt: 'O lote está vencido: descarte-o, ou confirme que sabe disso.',
    en: 'The batch has expired. Dispose of it, or confirm that you know.',
  },
  expiredWhileWaiting: {
    pt: 'O lote venceu enquanto a movimentação esperava: rejeite-a, ou peça a quem a registrou que confirme nela que sabe disso.',
    en: 'The batch expired while the movement waited. Reject it, or ask the person who registered it to confirm in it that they know.',
  },
  expiredWarning: {
    pt: 'O lote está vencido.',
    en: 'The batch has expired.',
  },
  othersBatch: {
    pt: 'O lote não foi registrado com este documento: seu material, fabricante, código e vencimento só mudam com nível 2 em lotes. Se sua entrada foi rejeitada, registre outro lote.',
    en: 'The batch was not registered with this document. Its material, manufacturer, code and expiry date can be changed only with level 2 on batches. If your entry of it was rejected, register another batch.',
  },
  otherBatch: (id: number) => ({
    pt: `difere do lote ${id}`,
    en: `differs from batch ${id}`,
  }),
  batchHasMoved: {
    pt: 'O lote já foi movimentado: seu material não muda mais.',
    en: 'The batch has movements, so its material cannot change.',
  },
  otherControl: {
    pt: 'O novo material tem outra exigência de aprovação: exclua o lote e registre-o de novo.',
    en: 'One of the two materials requires approval and the other does not. Delete the batch and create it again.',
  },
  entryDecided: {
    pt: 'A entrada do lote foi decidida com este material: registre outro lote. Se foi aprovada, exclua este, ou estorne a entrada.',
    en: 'The entry of the batch was decided with this material. Create another batch. If it was approved, delete this one, or reverse its entry.',
  },
  entryUnapproved: {
    pt: 'A entrada do lote não passou por aprovação, e o novo material a exige: peça a quem gerencia movimentações que exclua o lote, e registre-o de novo.',
    en: 'The entry of the batch was not approved, as the new material requires. Ask somebody who manages movements to delete the batch, and create it again.',
  },
  materialHasMoved: {
    pt: 'O material já foi movimentado: sua unidade, seu controle e o que o identifica no mapa (código, lista, NCM, concentração, densidade, substâncias) só mudam com nível 3 em materiais.',
    en: 'The material has movements, so its unit, its control and what identifies it in the map (code, list, NCM, concentration, density, substances) can be changed only with level 3 on materials.',
  },
  unitHasMoved: {
    pt: 'Há material movimentado nesta unidade: a unidade e o fator de controle, já definidos, só mudam com nível 3 em materiais.',
    en: 'Materials that are counted in this unit have movements, so the unit and the factor for control, once set, can be changed only with level 3 on materials.',
  },
  placeIsFact: {
    pt: 'O local de um lote já registrado só muda por uma movimentação.',
    en: 'The place of a batch in stock can be changed only by a movement.',
  },
  severalInvoices: {
    pt: 'O lote entrou com mais de uma nota fiscal: sua quantidade só muda por uma movimentação.',
    en: 'The batch entered with several invoices, so its quantity can be changed only by a movement.',
  },
  otherInvoice: {
    pt: 'O lote entrou com outra nota fiscal: corrija nela a quantidade, ou registre uma movimentação.',
    en: 'The batch entered with another invoice. Correct its quantity there, or register a movement.',
  },
  otherQuantity: (brought: readonly number[]) => ({
    pt: `O item mostra outra quantidade do que a que suas entradas trouxeram. ${brought.length > 0 ? `Informe ${brought.join(' ou ')}, o que não move estoque, ou registre` : 'Registre'} uma movimentação.`,
    en: `The item shows another quantity than its entries brought. ${brought.length > 0 ? `Send ${brought.join(' or ')}, which moves no stock, or register` : 'Register'} a movement.`,
  }),
  inStock: (quantity: number) => ({ pt: `há ${quantity} em estoque`, en: `${quantity} in stock` }),
  heldSince: (quantity: number) => ({
    pt: `desde o registro, chegou a haver só ${quantity} em estoque`,
    en: `since the registration, there were at some time only ${quantity} in stock`,
  }),
  registeredTooEarly: {
    pt: 'A movimentação vale no mês em que foi registrada, que já terminou, e desde então o estoque não bastou o tempo todo. Rejeite-a, e registre-a de novo hoje.',
    en: 'The movement counts in the month in which it was registered, which is over, and since then there was not always enough stock. Reject it, and register it again today.',
  },
  confirmExpiry: {
    pt: 'deve ser true, porque o lote está vencido',
    en: 'must be true, because the batch has expired',
  },
  reversalStands: {
    pt: 'é um estorno, que não se estorna: registre a movimentação de novo',
    en: 'is a reversal, which cannot be reversed: register the movement again',
  },
  samePlace: { pt: 'deve ser diferente da origem', en: 'must differ from the origin' },
  changed: { pt: 'não pode ser mudado', en: 'cannot be changed' },
  cnpj: {
    pt: 'não é um CNPJ: 12 letras ou dígitos e 2 dígitos',
    en: 'is not a CNPJ: 12 letters or digits and 2 digits',
  },
  cep: { pt: 'não é um CEP: 8 dígitos', en: 'is not a CEP: 8 digits' },
} satisfies Texts;

/** What people read about the monthly map of controlled substances, in both languages. */
export const mapTexts = {
  mapNotSent: {
    pt: 'Este aviso termina quando o envio do mapa é registrado.',
    en: 'This alert ends when the sending of the map is registered.',
  },
  mapNeedsCnpj: {
    pt: 'O arquivo do mapa precisa do CNPJ da instituição (INSTITUTION_CNPJ). Peça a quem administra o serviço.',
    en: "The file of the map needs the institution's CNPJ (INSTITUTION_CNPJ). Ask the service's administrator.",
  },
  mapIncomplete: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} ainda não pode ser escrito: faltam dados. Veja o relatório “Pendências do mapa de controle”.`,
    en: `The map of ${mes}/${ano} cannot be written yet: data are missing. See the report “Pendências do mapa de controle”.`,
  }),
  mapUnwritable: (what: string) => ({
    pt: `O arquivo do mapa não comporta um valor: ${what}.`,
    en: `The file of the map cannot hold a value: ${what}.`,
  }),
  mapOtherDirection: (numero: string) => ({
    pt: `A operação ou a armazenagem da nota fiscal ${numero} é do outro sentido: entradas têm operações E, saídas têm S.`,
    en: `The operation or the storage of the invoice ${numero} does not match the direction of the movement: entries need operations with E, exits with S.`,
  }),
  mapWithFindings: {
    pt: 'O mês tem pendências: resolva-as (veja o relatório “Pendências do mapa de controle”), ou confirme que sabe delas.',
    en: 'The month has findings: resolve them (see the report “Pendências do mapa de controle”), or confirm that you know of them.',
  },
  monthNotOver: {
    pt: 'O mês ainda não terminou.',
    en: 'The month is not over yet.',
  },
  mapTooEarly: (ano: number, mes: number) => ({
    pt: `O primeiro mês que se pode fechar é ${mes}/${ano}: antes dele não há movimentação de produtos do mapa. Confira o ano e o mês.`,
    en: `The first month that can be closed is ${mes}/${ano}: before it there is no movement of chemicals in the map. Check the year and the month.`,
  }),
  mapClosedAlready: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} já está fechado.`,
    en: `The map of ${mes}/${ano} is closed already.`,
  }),
  mapNotClosed: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} não está fechado.`,
    en: `The map of ${mes}/${ano} is not closed.`,
  }),
  mapClosedAgain: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} foi fechado de novo, e o arquivo deste fechamento é outro. Veja os fechamentos do mês, e repita com o SHA-256 do arquivo de que se trata.`,
    en: `The map of ${mes}/${ano} was closed again, and the file of this closing is another one. See the closings of the month, and repeat with the SHA-256 of the file that is meant.`,
  }),
  otherFile: (sha256: string) => ({
    pt: `o fechamento em vigor tem ${sha256}`,
    en: `the closing in force has ${sha256}`,
  }),
  mapSentAlready: (protocolo: string) => ({
    pt: `O envio deste fechamento já foi registrado, com o protocolo ${protocolo}.`,
    en: `This closing is registered as sent already, with the protocol ${protocolo}.`,
  }),
  confirmFindings: {
    pt: 'deve ser true, porque o mês tem pendências',
    en: 'must be true, because the month has findings',
  },
} satisfies Texts;
