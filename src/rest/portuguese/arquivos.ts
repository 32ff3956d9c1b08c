/** Texts of digital files in Portuguese, by the English ones. */
export const arquivos = {
  'Digital files, by the rows to which they belong': 'Arquivos digitais, pelas linhas a que pertencem',
  'Only the files with these ids': 'Só os arquivos com estes identificadores',
  'Whether to show `existe` and leave out `conteudo`': 'Se mostra `existe` e omite `conteudo`',
  'Whether to leave out `conteudo`': 'Se omite `conteudo`',
  'Keeps a file': 'Guarda um arquivo',
  'Key of the row to which the file belongs': 'Chave da linha a que pertence o arquivo',
  'Table of that row; it is not looked up, and may be of another system':
    'Tabela dessa linha; não é consultada, e pode ser de outro sistema',
  'Name of the file, which is shown and never becomes a path':
    'Nome do arquivo, que é mostrado e nunca se torna um caminho',
  'Media type without parameters, such as `application/pdf`':
    'Tipo de mídia sem parâmetros, como `application/pdf`',
  'Content in base64, not empty. In GraphQL the whole request has a limit. Larger files: POST the same fields in snake_case to `/arquivosdigitais/arquivos-digitais`':
    'Conteúdo em base64, não vazio. No GraphQL a requisição inteira tem um limite. Arquivos maiores: POST dos mesmos campos em snake_case para `/arquivosdigitais/arquivos-digitais`',
  'One file': 'Um arquivo',
  'Identifier of the file': 'Identificador do arquivo',
  'Whether to send the bytes for a browser to show, if it can do so safely, instead of JSON':
    'Se envia os bytes para que um navegador os mostre, se puder fazê-lo com segurança, em vez de JSON',
  'One range of the bytes of the file, such as `bytes=1000-`: 206 is answered':
    'Um intervalo dos bytes do arquivo, como `bytes=1000-`: a resposta é 206',
  '`ETag` of the bytes that the caller has: of others all are sent':
    '`ETag` dos bytes que o cliente já tem: se mudaram, vão todos',
  'The bytes of the range': 'Os bytes do intervalo',
  'Removes all files of a row, and answers them as they stood':
    'Remove todos os arquivos de uma linha e os devolve como estavam',
  'Table of the row': 'Tabela da linha',
  'Key of the row': 'Chave da linha',
  'A file that belongs to a row of some table, which may be of another system.':
    'Um arquivo que pertence a uma linha de alguma tabela, que pode ser de outro sistema.',
  'Table of that row': 'Tabela dessa linha',
  'Media type, such as `application/pdf`': 'Tipo de mídia, como `application/pdf`',
  'Bytes of the content': 'Bytes do conteúdo',
  'SHA-256 of the content in hexadecimal, under which it is stored':
    'SHA-256 do conteúdo em hexadecimal, sob o qual ele é guardado',
  'Content in base64; null in the answer of a mutation':
    'Conteúdo em base64; null na resposta de uma mutation',
  'Whether the content is there, complete and undamaged: it is read; null in the answer of a mutation':
    'Se o conteúdo está lá, completo e intacto: ele é lido; null na resposta de uma mutation',
};
