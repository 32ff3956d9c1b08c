import { describe, expect, it } from 'vitest';
import { growth, measuresMemory, readLate, useSmallService } from './support/memory.ts';

const ROWS = 51_000;
/** As a workbook in memory these rows would take some 200 MB, although they are short, because of the cells. */
const SHEET_ROWS = 20_000;
const FILL = `
insert into material (titulo, catmat, descricao, estado_fisico, id_unidade_medida, criado_em, alterado_em)
select 'Reagente ' || n, case when n > $1::int then 'planilha' end, case when n > $1::int then 'x' else repeat(md5(n::text), 125) end, 'S', 1, now(), now()
from generate_series(1, $1::int + $2::int) n`;
const started = useSmallService(FILL, [ROWS, SHEET_ROWS]);
const EXPORT = '/almoxarifadoquimicos/materiais?export=true';

describe.skipIf(!measuresMemory())('a long export to a slow client', () => {
  // First, while the service has taken little memory yet.
  it('is sent as xlsx in limited memory', async () => {
    const { service, admin } = started();
    const grown = await growth(service, async () => {
      const { bytes } = await readLate(admin, `${EXPORT}&formatoPlanilha=xlsx&catmat=planilha`);
      expect(bytes).toBeGreaterThan(500_000);
    });
    expect(grown).toBeLessThan(180_000_000);
  });

  it('is sent as csv in limited memory', async () => {
    const { service, admin } = started();
    const grown = await growth(service, async () => {
      const { bytes, lines } = await readLate(admin, `${EXPORT}&formatoPlanilha=csv`);
      expect(lines).toBeGreaterThan(ROWS);
      expect(bytes).toBeGreaterThan(200_000_000);
    });
    expect(grown).toBeLessThan(260_000_000);
  });
});
