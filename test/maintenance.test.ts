import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();

describe('maintenance of the database', () => {
  // PostgreSQL runs this, and restores a dump, with an empty search path. So an index must not find its functions by
  // name.
  it.each(['analyze material', 'reindex table material', 'vacuum (analyze) funcionario'])(
    '%s',
    async statement => {
      await service().sql(statement);
      const [row] = await service().sql(
        "select count(*) > 0 from material where titulo_busca like '%acido%' and titulo_busca = fold(titulo)",
      );
      expect(row).toEqual([true]);
    },
  );
});
