import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();

describe('maintenance of the database', () => {
  // PostgreSQL runs it, and restores a dump, with an empty search path: what an index calls must be bound, not named.
  it.each(['analyze material', 'reindex table material', 'vacuum (analyze) funcionario'])(
    '%s',
    async statement => {
      await service().sql(statement);
      const [row] = await service().sql(
        "select count(*) > 0 from material where fold(titulo) like '%acido%'",
      );
      expect(row).toEqual([true]);
    },
  );
});
