import { transactionReader } from '../database/reader.ts';
import { EstoqueMinimo } from '../entities/almoxarifado/estoque-minimo.ts';
import type { Call } from '../request/call.ts';
import { writing } from '../request/writing.ts';

interface Minimum {
  idMaterial: number;
  idLocal: number;
  quantidade: number;
}

/** One statement, so that two people who set the same minimum at the same time both succeed. */
const SET = `insert into estoque_minimo (id_material, id_local, quantidade, criado_por, alterado_por)
values ($1, $2, $3, $4, $4)
on conflict (id_material, id_local) do update
set quantidade = excluded.quantidade, alterado_por = excluded.alterado_por, alterado_em = now()
returning id as c0`;

/** Sets the minimum quantity of a material at a location. There is at most one. */
export async function setMinimum(
  call: Call,
  { idMaterial, idLocal, quantidade }: Minimum,
): Promise<EstoqueMinimo> {
  const { idPessoa } = await call.context.session();
  return writing(call, async em => {
    const [row] = await transactionReader(em).rows(SET, [idMaterial, idLocal, quantidade, idPessoa]);
    return (await call.written(em, EstoqueMinimo, { id: row![0] }))!;
  });
}
