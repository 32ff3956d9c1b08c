import { crc32, deflateSync } from 'node:zlib';

/** A file of the demo, and the row to which it belongs. */
interface DemoFile {
  tabela: 'material' | 'nota_fiscal';
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
];

/** A PNG of a label: a red frame on white, with a bar below. */
function labelImage(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, 255);
    row[0] = 0;
    for (let x = 0; x < width; x++) {
      const frame = Math.min(x, y, width - 1 - x, height - 1 - y) < 4;
      if (frame || y > height - 14) row.set([200, 30, 40], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
