/**
 * Texts of the whole document in Portuguese, by the English ones. The placeholder `{text}` is translated; `{name}`,
 * `{names}` and `{level}` are kept.
 */
export const geral = {
  'A page of a list of {name}.': 'Uma página de uma lista de {name}.',
  'Key of: {text}': 'Chave de: {text}',
  'If true, instead: {text}': 'Se true, em vez disso: {text}',
  'Only where {names} is exactly this': 'Só onde {names} é exatamente isto',
  'Only where {names} contains this text, ignoring case and accents':
    'Só onde {names} contém este texto, sem distinguir maiúsculas nem acentos',
  'Only where {names} falls on this day': 'Só onde {names} é neste dia',
  'Only where {names} falls on this day or later': 'Só onde {names} é neste dia ou depois',
  'Only where {names} falls on this day or earlier': 'Só onde {names} é neste dia ou antes',
  'Only where {names} has this among others': 'Só onde {names} tem isto entre outros',
  'Order by {names}': 'Ordena por {names}',
  'Whether to show {names}': 'Se mostra {names}',
  '{text}: `S` or `N`': '{text}: `S` ou `N`',
  '{text}: `S` or `N`; {names} when absent': '{text}: `S` ou `N`; {names} quando ausente',
  '{text} Needs the `app-name` and `api-key` headers.':
    '{text} Precisa dos cabeçalhos `app-name` e `api-key`.',
  'Needs no token.': 'Não precisa de token.',
  'Needs level {level} on {names}.': 'Precisa do nível {level} em {names}.',
  'Needs a token of somebody with level 3 on a controller.':
    'Precisa de um token de quem tem nível 3 em algum controller.',
  "Needs a token: one's own.": 'Precisa de um token: só o que é próprio.',
  "Needs a token: one's own; another's needs level {level} on {names}.":
    'Precisa de um token: o que é próprio; o que é de outra pessoa precisa do nível {level} em {names}.',
  'The specified REST paths, over the same schema that GraphQL serves at `/graphql`. Log in with `POST /auth/login`, then send the answered token in the `token` header. What is described here is how to write to the service. It also takes what older clients send: numbers and booleans for texts, numbers in texts, dates as `YYYY/MM/DD` and `DD/MM/YYYY` and with a time, `""` for what is optional, and the parameters of a list as `a=1&a=2`, `a=1,2`, `a[]=1` and `a[0]=1`.':
    'Os caminhos REST da especificação, sobre o mesmo esquema que o GraphQL atende em `/graphql`. Entre com `POST /auth/login` e envie o token da resposta no cabeçalho `token`. Aqui está descrito como escrever para o serviço. Ele também aceita o que clientes antigos enviam: números e booleanos no lugar de textos, números em textos, datas como `YYYY/MM/DD` e `DD/MM/YYYY` e com hora, `""` para o que é opcional, e os parâmetros de uma lista como `a=1&a=2`, `a=1,2`, `a[]=1` e `a[0]=1`.',
  'Whether to cut the list into pages': 'Se a lista é dividida em páginas',
  'Number of the page, from 1': 'Número da página, a partir de 1',
  'Records on a page': 'Registros por página',
  'Tags of answers that the caller has: of one of them 304 is answered':
    'Etiquetas (`ETag`) das respostas que o cliente já tem: se uma delas ainda vale, a resposta é 304',
  OK: 'OK',
  'Names these very bytes; of a record also the version, by which `If-Match` goes':
    'Identifica exatamente estes bytes; de um registro, também a versão, que `If-Match` compara',
  'Not modified: the caller has this answer': 'Não mudou: o cliente já tem esta resposta',
  'With the same key the same request is done once, and its answer is given again for 24 h':
    'Com a mesma chave, a mesma requisição é feita uma só vez, e sua resposta é repetida por 24 h',
  'Tag of the record that the caller has seen: 412 when it has changed meanwhile':
    'Etiqueta (`ETag`) do registro como o cliente o viu: 412 se ele mudou desde então',
  'Identifier of the record': 'Identificador do registro',
  'Whether to send the whole filtered, ordered list as a file':
    'Se envia como arquivo a lista filtrada e ordenada, inteira',
  'Kind of spreadsheet': 'Formato da planilha',
  'Person who creates the record; the caller when absent':
    'Pessoa que cria o registro; se ausente, quem faz a requisição',
  'Person who changes the record; the caller when absent':
    'Pessoa que altera o registro; se ausente, quem faz a requisição',
  'Created; `Location` names it': 'Criado; `Location` diz onde',
  Name: 'Nome',
  Created: 'Criado',
  'Records on this page': 'Registros desta página',
  'Records in the whole list, as it is at the moment of the page; counted only when asked for':
    'Registros da lista inteira, como ela é no momento da página; só são contados se pedidos',
  'Number of this page, from 1': 'Número desta página, a partir de 1',
  'Most records on a page': 'Máximo de registros por página',
  'Pages in the whole list; counted only when asked for':
    'Páginas da lista inteira; só são contadas se pedidas',
  Identifier: 'Identificador',
  'When it was created': 'Quando foi criado',
  'When it was last changed': 'Quando foi alterado pela última vez',
  'Person who created it, as the client says or else the caller':
    'Pessoa que o criou, como diz o cliente, ou quem fez a requisição',
  'Person who last changed it, as the client says or else the caller':
    'Pessoa que o alterou por último, como diz o cliente, ou quem fez a requisição',
  '`A` active, `I` inactive': '`A` ativo, `I` inativo',
  Acronym: 'Sigla',
  Code: 'Código',
  'An error (RFC 9457). `code` is stable; `title`, `detail` and messages are in Portuguese, or in English by `Accept-Language`.':
    'Um erro (RFC 9457). `code` não muda; `title`, `detail` e as mensagens estão em português, ou em inglês conforme `Accept-Language`.',
  'The `X-Request-Id` of the answer': 'O `X-Request-Id` da resposta',
  'Every broken field, with a path into arrays: `movimentacoes[1].quantidade`':
    'Todos os campos inválidos, com o caminho dentro de listas: `movimentacoes[1].quantidade`',
  'Seconds after which to try again': 'Segundos depois dos quais tentar de novo',
  'Acronym of the calling system': 'Sigla do sistema que chama',
  'Access key of the calling system': 'Chave de acesso do sistema que chama',
  'Enrolments and activities of students, teaching plans':
    'Vínculos e atividades de discentes, planos de ensino',
  'Chemicals storeroom: materials, batches, invoices, stock, its movements and their approval':
    'Almoxarifado de químicos: materiais, lotes, notas fiscais, estoque, suas movimentações e a aprovação delas',
  'Files that belong to records': 'Arquivos que pertencem a registros',
  'Login and change of passwords': 'Login e troca de senhas',
  'Employees, news, directory with managerial accounts, imports':
    'Funcionários, notícias, diretório com contas gerenciais, importações',
  'Who may do what: people, roles, systems, menus, sessions':
    'Quem pode o quê: pessoas, perfis, sistemas, menus, sessões',
  'Reports on teaching plans and on the storeroom, also as PDF or spreadsheet':
    'Relatórios de planos de ensino e do almoxarifado, também em PDF ou planilha',
};
