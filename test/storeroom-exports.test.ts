import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { makePlace } from './support/make.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, paths, type Body } from './support/stock.ts';

const service = useService();

async function rowsOf(path: string): Promise<unknown[][]> {
  const { headers } = await service().as('almoxarife');
  const response = await fetch(`${service().url}${path}&export=true&formatoPlanilha=xlsx`, { headers });
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[a-z-]+-\d{4}-\d\d-\d\d\.xlsx"$/,
  );
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load((await buffer(response.body!)).buffer);
  return workbook.worksheets[0]!.getSheetValues()
    .slice(1)
    .map(row => (row as unknown[]).slice(1));
}

async function linesOf(path: string): Promise<string[][]> {
  const { headers, body } = await (await service().as('almoxarife')).get(`${path}&export=true`);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+-\d{4}-\d\d-\d\d\.csv"$/);
  return (body as string)
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(';'));
}

describe('the export of the batches', () => {
  it('has the rows that the filters find, whatever page is requested', async () => {
    const batch: Body = await makeBatch(service(), {
      cod_lote: 'EXP-1',
      data_venc: '2032-02-03',
      motivo: 'Doação',
    });
    await makeBatch(service(), { cod_lote: 'EXP-10' });
    const query = `${paths.batches}?codLote=EXP-1&pagination=true&page=9`;
    const [header, ...lines] = await linesOf(query);
    expect(header!.slice(0, 3)).toEqual(['Código', 'Lote', 'Material']);
    expect(lines).toMatchObject([{ 0: String(batch.id), 1: 'EXP-1', 2: batch.material.titulo, 7: '100' }]);
    const [titles, ...rows] = await rowsOf(query);
    expect(titles).toEqual(header);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.slice(0, 3)).toEqual([batch.id, 'EXP-1', batch.material.titulo]);
    expect(rows[0]![6]).toEqual(new Date('2032-02-03T00:00:00Z'));
    expect(rows[0]![7]).toBe(100);
  });
});

describe('the export of the movements', () => {
  it('has the rows that the filters find, in the requested order', async () => {
    const { id, id_local } = await makeBatch(service());
    const there = await makePlace(service());
    const transfer = {
      id_lote: id,
      id_tipo_movimentacao: 3,
      id_local_origem_fim: id_local,
      id_local_destino_fim: there.id,
      fl_estorno: 'N',
    };
    await moved(service(), { ...transfer, quantidade: 3 }, { ...transfer, quantidade: 5 });
    const query = `${paths.movements}?idLote=${id}&idLocalDestino=${there.id}&orderByQuantidade=desc`;
    const [header, ...lines] = await linesOf(query);
    expect(header).toContain('Destino: responsável');
    const column = (name: string) => lines.map(line => line[header!.indexOf(name)]);
    expect(column('Quantidade')).toEqual(['5', '3']);
    expect(column('Tipo')).toEqual(['Transferência', 'Transferência']);
    expect(column('Situação')).toEqual(['Efetivada', 'Efetivada']);
    expect(column('Destino: responsável')).toEqual([there.nome, there.nome]);
    const [titles, ...rows] = await rowsOf(query);
    expect(titles).toEqual(header);
    expect(rows.map(row => row[header!.indexOf('Quantidade')])).toEqual([5, 3]);
  });
});
