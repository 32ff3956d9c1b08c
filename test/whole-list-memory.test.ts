import { describe, expect, it } from 'vitest';
import { growth, measuresMemory, readLate, useSmallService } from './support/memory.ts';

const ROWS = 25_000;
const FILL = `
insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
select 'Reagente ' || n, repeat(md5(n::text), 100), 'S', 1 from generate_series(1, $1::int) n`;
const started = useSmallService(FILL, [ROWS]);

describe.skipIf(!measuresMemory())('a whole list to slow clients', () => {
  it('is sent in limited memory', async () => {
    const { service, admin } = started();
    const read = () => readLate(admin, '/almoxarifadoquimicos/materiais');
    const grown = await growth(service, async () => {
      for (const { bytes } of await Promise.all([read(), read(), read()]))
        expect(bytes).toBeGreaterThan(80_000_000);
    });
    expect(grown).toBeLessThan(260_000_000);
  });
});
