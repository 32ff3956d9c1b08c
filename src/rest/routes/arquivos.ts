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
  get('/arquivos-digitais/{id}', 'arquivoDigital', { omits: ['existe'], streams: sendFile }),
  del('/arquivos-digitais/{idTabelaOrigem}:{nomeTabelaOrigem}', 'excluirArquivosDigitais', {
    omits: information,
  }),
]);
