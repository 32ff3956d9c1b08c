import { labelImage, noticeDocument } from './demo-file-bytes.ts';

/** A file of the demo, and the row to which it belongs. */
interface DemoFile {
  tabela: 'material' | 'nota_fiscal' | 'plano_ensino';
  /** Which row of the table, in the order of its keys. */
  linha: number;
  nome: string;
  tipoMime: string;
  bytes: Buffer;
}

const lines = (...text: string[]): Buffer => Buffer.from(`${text.join('\r\n')}\r\n`);

export const demoFiles: readonly DemoFile[] = [
  {
    tabela: 'material',
    linha: 1,
    nome: 'Ficha de emergência.txt',
    tipoMime: 'text/plain',
    bytes: lines(
      'FICHA DE EMERGÊNCIA',
      'Manter longe de chamas e faíscas. Em contato com os olhos, lavar com água por 15 minutos.',
      'Derramamento: conter com material absorvente inerte (areia, vermiculita).',
    ),
  },
  {
    tabela: 'material',
    linha: 1,
    nome: 'rótulo.png',
    tipoMime: 'image/png',
    bytes: labelImage(96, 48),
  },
  {
    tabela: 'material',
    linha: 2,
    nome: 'laudo de análise.csv',
    tipoMime: 'text/csv',
    bytes: lines('ensaio;resultado;unidade', 'teor;99,8;%', 'água;0,05;%', 'resíduo após evaporação;3;mg/L'),
  },
  {
    tabela: 'nota_fiscal',
    linha: 1,
    nome: 'itens da nota.csv',
    tipoMime: 'text/csv',
    bytes: lines('item;quantidade;conferido', '1;12;sim', '2;4;sim', '3;1;avariado'),
  },
  {
    tabela: 'nota_fiscal',
    linha: 2,
    nome: 'conferência.txt',
    tipoMime: 'text/plain',
    bytes: lines('Volumes recebidos sem avarias e conferidos com a nota.'),
  },
  {
    tabela: 'nota_fiscal',
    linha: 2,
    nome: 'nfe.xml',
    tipoMime: 'application/xml',
    bytes: lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe">',
      '  <NFe><infNFe versao="4.00"><ide><natOp>Venda de reagentes</natOp></ide></infNFe></NFe>',
      '</nfeProc>',
    ),
  },
  {
    tabela: 'plano_ensino',
    linha: 1,
    nome: 'ata do colegiado.pdf',
    tipoMime: 'application/pdf',
    bytes: noticeDocument('Ata do colegiado', 'O plano de ensino foi aprovado por unanimidade.'),
  },
];
