import { describe, expect, it } from 'vitest';
import { grant } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, movementsOf, paths } from './support/stock.ts';

const service = useService();
const controllerOf = (path: string): string => path.slice(1);

describe('the storeroom', () => {
  it.each([paths.batches, paths.invoices, paths.links, paths.movements, paths.stock])(
    'is read with level 1 and written with level 2: %s',
    async path => {
      const discente = await service().as('discente');
      expectProblem(await discente.get(path), 403, 'FORBIDDEN');
      const takeAway = await grant(service(), 'discente', { controller: controllerOf(path), nivel: 1 });
      expect((await discente.get(path)).status).toBe(200);
      expectProblem(await discente.post(path), 403, 'FORBIDDEN');
      const takeBoth = await grant(service(), 'discente', { controller: controllerOf(path), nivel: 2 });
      expectProblem(await discente.post(path), 422, 'VALIDATION_FAILED');
      await takeBoth();
      await takeAway();
      expectProblem(await discente.post(path), 403, 'FORBIDDEN');
    },
  );

  it('shows its inbox with level 1, and allows decisions only with level 3, on both faces', async () => {
    const { id } = await makeBatch(service(), { controlado: true });
    const [entry] = await movementsOf(service(), id);
    const tecnico = await service().as('tecnico');
    expect((await tecnico.get(paths.approvals)).status).toBe(200);
    expectProblem(await tecnico.post(paths.approvals, { id_movimentacao: entry.id }), 403, 'FORBIDDEN');
    for (const decision of ['aprovarMovimentacao', 'rejeitarMovimentacao']) {
      const { errors } = await tecnico.graphql(
        `mutation { ${decision}(idMovimentacao: ${entry.id}) { id } }`,
      );
      expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    }
    expect(await movementsOf(service(), id)).toEqual([entry]);
  });

  it.each([
    'excluirLote(id: 1)',
    'excluirNotaFiscal(id: 1)',
    'excluirItemNotaFiscal(id: 1)',
    'excluirMovimentacaoEstoque(id: 1)',
    'criarEstoque(input: { idLote: 1, idLocalFim: 1, idLocalArmazenado: 1, quantidade: 1 })',
  ])('is not written without level 2 in GraphQL either: %s', async mutation => {
    const discente = await service().as('discente');
    const { errors } = await discente.graphql(`mutation { ${mutation} { id } }`);
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
  });
});
