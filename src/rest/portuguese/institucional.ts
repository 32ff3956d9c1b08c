/** Texts of the directory, employees, news and imports in Portuguese, by the English ones. */
export const institucional = {
  "People and managerial accounts by name; without level 1 one's own entry, or accounts":
    'Pessoas e contas gerenciais por nome; sem o nível 1, a própria entrada ou as próprias contas',
  'Whether to show managerial accounts only: without level 1 those that the caller holds':
    'Se mostra só contas gerenciais: sem o nível 1, as de quem consulta',
  'Only people with this CPF, whose punctuation does not count; of managerial accounts those that they hold':
    'Só pessoas com este CPF, com ou sem pontuação; de contas gerenciais, as que elas têm',
  'One entry by its e-mail address': 'Uma entrada por seu endereço de e-mail',
  'E-mail address': 'Endereço de e-mail',
  'Does what one of the flags says: attaches a managerial account to a person, or changes, suspends or makes a code for a managerial account. Others than those that the caller holds need level 3.':
    'Faz o que diz uma das opções: anexa uma conta gerencial a uma pessoa, ou altera ou suspende uma conta gerencial, ou gera um código para ela. Para contas que não são de quem faz a requisição é preciso o nível 3.',
  'E-mail address of the entry': 'Endereço de e-mail da entrada',
  'Whether `nome` and `descricao` may change a managerial account':
    'Se `nome` e `descricao` podem alterar uma conta gerencial',
  '`true` suspends a managerial account, `false` lets it be used again':
    '`true` suspende uma conta gerencial, `false` volta a permitir seu uso',
  'E-mail address of a managerial account, which `cvr` attaches to the person':
    'Endereço de e-mail de uma conta gerencial, que `cvr` anexa à pessoa',
  'E-mail address of a managerial account, which `senha` attaches to the person':
    'Endereço de e-mail de uma conta gerencial, que `senha` anexa à pessoa',
  'Whether to make a one-time code for a managerial account without a password':
    'Se gera um código de uso único para uma conta gerencial sem senha',
  'What it is for; null clears it': 'Para que serve; null apaga',
  'One-time code, with `adicionar_conta_gerencial_cvr`':
    'Código de uso único, com `adicionar_conta_gerencial_cvr`',
  'Password, with `adicionar_conta_gerencial_senha`': 'Senha, com `adicionar_conta_gerencial_senha`',
  'Active employees and grant holders': 'Funcionários e bolsistas ativos',
  'One active employee': 'Um funcionário ativo',
  'The latest news: pinned ones first, then the newest':
    'As últimas notícias: as fixadas primeiro, depois as mais novas',
  'How many news items, from 1 to 50, as a list without further pages. `summary` and `groups` are of all news that match':
    'Quantas notícias, de 1 a 50, em uma lista sem mais páginas',
  'News that were withdrawn, newest first': 'Notícias retiradas, as mais novas primeiro',
  'Pins a news item above the others, withdraws it, or takes either back. The feed does not undo it':
    'Fixa uma notícia acima das outras, retira-a, ou desfaz uma coisa ou outra. A fonte de notícias não o desfaz',
  'Whether it stands above the others': 'Se está fixada acima das outras',
  'Whether it was withdrawn: `noticias` shows it no more': 'Se foi retirada: `noticias` não a mostra mais',
  'Reads the news feed now, and does not wait for its next turn':
    'Lê a fonte de notícias agora, sem esperar a próxima vez',
  'What the caller may import, with the columns of the files: level 3 is needed':
    'O que quem consulta pode importar, com as colunas dos arquivos: é preciso o nível 3',
  'Imports, the latest first; without level 1 one’s own':
    'Importações, as últimas primeiro; sem o nível 1, as próprias',
  'Imports a file. It takes level 3 on what is imported. The answer waits 2 seconds for the end; ask `importacao` for the progress of a longer one. It is imported as a whole, or only its good rows if the input accepts that, or not at all':
    'Importa um arquivo. É preciso o nível 3 no que é importado. A resposta espera 2 segundos pelo fim; consulte em `importacao` o andamento de uma mais longa. O arquivo é importado inteiro, ou só suas linhas boas se a entrada o aceita, ou nada dele',
  'What to import: a name that `importaveis` lists, such as `pessoas`':
    'O que importar: um nome da lista de `importaveis`, como `pessoas`',
  'Name of the file': 'Nome do arquivo',
  'Content in base64, not empty. In GraphQL the whole request has a limit. Larger files: POST the same fields in snake_case to `/institucional/importacoes`':
    'Conteúdo em base64, não vazio. No GraphQL a requisição inteira tem um limite. Arquivos maiores: POST dos mesmos campos em snake_case para `/institucional/importacoes`',
  'Whether to check the file only, and import nothing': 'Se só confere o arquivo, sem importar nada',
  'Whether to import rows without problems although others have some':
    'Se importa as linhas sem problemas embora outras os tenham',
  'Encoding of a csv file, which is found out when absent: `utf-8` "CSV UTF-8" of Excel, `windows-1252` "CSV" of Excel in Brazil, `utf-16le` "Unicode text" of Excel':
    'Codificação de um arquivo csv, descoberta quando ausente: `utf-8` "CSV UTF-8" do Excel, `windows-1252` "CSV" do Excel no Brasil, `utf-16le` "Texto Unicode" do Excel',
  'One import': 'Uma importação',
  'Identifier of the import': 'Identificador da importação',
  'The rows of an import that were not imported': 'As linhas de uma importação que não foram importadas',
  'Makes a person the holder of a managerial account in place of the caller, or with level 3 in place of anybody. A code of the account ends. Answers the account.':
    'Torna uma pessoa responsável por uma conta gerencial no lugar de quem faz a requisição ou, com nível 3, no lugar de qualquer pessoa. Um código da conta deixa de valer. Devolve a conta.',
  'E-mail address of the account': 'Endereço de e-mail da conta',
  'E-mail address of the person who gets it': 'Endereço de e-mail da pessoa que a recebe',
  'E-mail address of the holder who leaves it; needed if several others hold it':
    'Endereço de e-mail do responsável que a deixa; necessário se há vários outros',
  'An entry of the directory: a person, or a managerial account, which people hold.':
    'Uma entrada do diretório: uma pessoa, ou uma conta gerencial, pela qual pessoas respondem.',
  'What a managerial account is for': 'Para que serve uma conta gerencial',
  'CPF of a person, its digits alone': 'CPF de uma pessoa, só os dígitos',
  'Whether it is a managerial account': 'Se é uma conta gerencial',
  'Whether it may not be used': 'Se não pode ser usada',
  'Whether it has a password': 'Se tem senha',
  'Managerial accounts that a person holds': 'Contas gerenciais que uma pessoa tem',
  'People who hold a managerial account': 'Pessoas que têm uma conta gerencial',
  'An entry of the directory, by name.': 'Uma entrada do diretório, por nome.',
  'An employee or grant holder, as the personnel system knows them.':
    'Um funcionário ou bolsista, como o sistema de pessoal o conhece.',
  'CPF, its eleven digits': 'CPF, seus onze dígitos',
  'Civil name': 'Nome civil',
  'Name by which the person is called': 'Nome pelo qual a pessoa é chamada',
  'Nature of the employment, such as `Estatutário` or `Bolsista`':
    'Natureza jurídica do vínculo, como `Estatutário` ou `Bolsista`',
  'When the personnel system last changed the record':
    'Quando o sistema de pessoal alterou o registro pela última vez',
  'Unit of the institution where the person works': 'Lotação em que a pessoa trabalha',
  'A news item of the institution.': 'Uma notícia da instituição.',
  'Headline, plain text': 'Título, em texto simples',
  'Summary, plain text': 'Resumo, em texto simples',
  'Where the whole of it is read': 'Onde se lê a notícia inteira',
  'When it was published': 'Quando foi publicada',
  'A kind of record that can be imported.': 'Um tipo de registro que pode ser importado.',
  'Name, for `importar`': 'Nome, para `importar`',
  'Columns that a file may have, in any order': 'Colunas que um arquivo pode ter, em qualquer ordem',
  'A column that a file may have.': 'Uma coluna que um arquivo pode ter.',
  Header: 'Cabeçalho',
  'Whether the file must have it, with a value in each row':
    'Se o arquivo precisa tê-la, com um valor em cada linha',
  'What its cells are': 'O que são suas células',
  'An import of a file, with its progress and its report. Its creator made it.':
    'Uma importação de um arquivo, com seu andamento e seu resultado. Foi feita por quem a criou.',
  'What was imported, such as `pessoas`': 'O que foi importado, como `pessoas`',
  'Whether it only checks the file': 'Se só confere o arquivo',
  'Whether rows without problems are imported although others have some':
    'Se as linhas sem problemas são importadas embora outras os tenham',
  '`em_andamento` it waits for its turn or runs, `concluida` all is imported; or, if it only checked, all could be, `recusada` the file has problems, and nothing was imported, `interrompida` it broke off, and nothing was imported':
    '`em_andamento` espera sua vez ou está sendo feita, `concluida` tudo foi importado; ou, se só conferiu, tudo poderia ser, `recusada` o arquivo tem problemas, e nada foi importado, `interrompida` foi interrompida, e nada foi importado',
  'When it ended': 'Quando terminou',
  'Why the file as a whole was refused, or why it broke off':
    'Por que o arquivo todo foi recusado, ou por que a importação foi interrompida',
  'Rows of the file without its headers; null until it ends':
    'Linhas do arquivo sem os cabeçalhos; null até terminar',
  'Records that are new; null if nothing was or could be imported':
    'Registros novos; null se nada foi ou poderia ser importado',
  'Records that changed': 'Registros que mudaram',
  'Records that were so already': 'Registros que já eram assim',
  'Rows that repeat an earlier one and were skipped': 'Linhas que repetem uma anterior e foram puladas',
  'Rows with problems': 'Linhas com problemas',
  'Problems, of which `problemas` has the first': 'Problemas, dos quais `problemas` tem os primeiros',
  'When its turn came; null while it waits': 'Quando chegou sua vez; null enquanto espera',
  'Rows that it has read so far': 'Linhas que leu até agora',
  'Rows that it has written so far': 'Linhas que gravou até agora',
  'The first 1,000 problems, by row; null until it ends, 30 days later, and for who may not list these records':
    'Os primeiros 1.000 problemas, por linha; null até terminar, 30 dias depois, e para quem não pode listar esses registros',
  'The first 1,000 rows that repeat an earlier one; null likewise':
    'As primeiras 1.000 linhas que repetem uma anterior; null nos mesmos casos',
  'What is wrong in a cell of an imported file.': 'O que está errado em uma célula de um arquivo importado.',
  'Number of the row, as spreadsheet programs show it': 'Número da linha, como as planilhas o mostram',
  'Header of the column': 'Cabeçalho da coluna',
  'What stands there; empty when nothing does': 'O que está escrito; vazio se não há nada',
  'What is wrong': 'O que está errado',
  'What would be right': 'O que seria certo',
  'A row that repeats an earlier one and was skipped.': 'Uma linha que repete uma anterior e foi pulada.',
  'Number of the row': 'Número da linha',
  'Number of the earlier row': 'Número da linha anterior',
  'The rows of a file that were not imported.': 'As linhas de um arquivo que não foram importadas.',
  Headers: 'Cabeçalhos',
  'How many rows were refused': 'Quantas linhas foram recusadas',
  'The first 1,000 rows; the file has the first 100,000':
    'As primeiras 1.000 linhas; o arquivo tem as primeiras 100.000',
  'A row that was not imported.': 'Uma linha que não foi importada.',
  'Number of the row in the imported file': 'Número da linha no arquivo importado',
  'Its cells': 'Suas células',
  'What is wrong with it; empty beyond the first 1,000 problems':
    'O que está errado nela; vazio depois dos primeiros 1.000 problemas',
  'An entry of the directory after an act on it.': 'Uma entrada do diretório depois de um ato sobre ela.',
  'The code that was made, under the name under which it is sent. It is shown this once.':
    'O código gerado, com o nome sob o qual é enviado. É mostrado só esta vez.',
  'The same code, under its earlier name': 'O mesmo código, com seu nome anterior',
  'When that code expires': 'Quando esse código expira',
  'What a reading of the news feed brought.': 'O que trouxe uma leitura da fonte de notícias.',
  'Whether the feed has changed since it was read before': 'Se a fonte mudou desde a leitura anterior',
  'How many news were added or changed': 'Quantas notícias foram incluídas ou alteradas',
};
