import { sendFile } from '../file-download.ts';
import { area, del, get, post } from '../route.ts';

/** Contents are returned by reads only. */
const information = ['conteudo', 'existe'];

export const arquivos = area('/arquivosdigitais', [
  get('/arquivos-digitais', 'arquivosDigitais', {
    omits: ['existe'],
    omitsOn: { verificarArquivos: ['conteudo'], apenasInformacao: information },
  }),
  post('/arquivos-digitais', 'enviarArquivoDigital', { omits: information, receives: 'conteudo' }),
  get('/arquivos-digitais/{id}', 'arquivoDigital', {
    omits: ['existe'],
    streams: sendFile,
    shows: true,
    headers: {
      Range: 'One range of the bytes of the file, such as `bytes=1000-`: 206 is answered',
      'If-Range': '`ETag` of the bytes that the caller has: of others all are sent',
    },
  }),
  del('/arquivos-digitais/{idTabelaOrigem}:{nomeTabelaOrigem}', 'excluirArquivosDigitais', {
    omits: information,
  }),
]);
