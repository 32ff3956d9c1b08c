import { expect, it } from 'vitest';
import { consumed, makeChemical, post } from './support/controlled.ts';
import { useService } from './support/service.ts';

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const area = '/almoxarifadoquimicos/mapa-mensal';
const MAP = `{
  mapaMensal(ano: 2025, mes: 2) {
    situacao
    fechamento {
      autor { usuario }
      enviadoPorPessoa { usuario }
      reabertoPorPessoa { usuario }
    }
  }
}`;

it('the map of a month shows who closed it and who said that it was sent', async () => {
  const keeper = await service().as('almoxarife');
  const shown = async (query = MAP) => {
    const { data, errors } = await (await service().as('admin')).graphql(query);
    expect(errors).toBeUndefined();
    return data.mapaMensal;
  };
  const month = { ano: 2025, mes: 2 };
  const acid = await makeChemical(service(), { titulo: 'Ácido' });
  await post(service(), consumed(acid, 500, '2025-02-10'));
  expect(await shown()).toEqual({ situacao: 'ABERTO', fechamento: null });
  const closed = await keeper.post(`${area}/fechar`, { ...month, ciente_pendencias: true });
  expect(closed.status).toBe(200);
  const autor = { usuario: 'almoxarife' };
  const fechamento = { autor, enviadoPorPessoa: null, reabertoPorPessoa: null };
  expect(await shown()).toEqual({ situacao: 'FECHADO', fechamento });
  const sent = await keeper.post(`${area}/registrar-envio`, { ...month, protocolo: '2025.02.1' });
  expect(sent.status).toBe(200);
  expect(await shown()).toEqual({
    situacao: 'ENVIADO',
    fechamento: { ...fechamento, enviadoPorPessoa: autor },
  });
  // Nothing of the closing is selected, and its state is shown all the same.
  const only = `{ mapaMensal(ano: 2025, mes: 2) { situacao fechamento { mes } } }`;
  expect(await shown(only)).toEqual({ situacao: 'ENVIADO', fechamento: { mes: 2 } });
  expect(await shown('{ mapaMensal(ano: 2025, mes: 2) { situacao } }')).toEqual({ situacao: 'ENVIADO' });
  // REST shows the closing without these people, as the closings themselves.
  const { body } = await keeper.get(`${area}?ano=2025&mes=2`);
  const { avisos: _avisos, ...record } = sent.body;
  expect(body.fechamento).toEqual(record);
});
