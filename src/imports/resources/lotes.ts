import { Lote } from '../../entities/almoxarifado/lote.ts';
import { Importable } from '../importable.ts';

/** What batches there are. How much of them is where, `saldos-iniciais` say. */
export const lotes = new Importable('lotes', Lote, {
  managedBy: ['almoxarifadoquimicos/lotes'],
  key: ['material', 'fabricante', 'codLote'],
  columns: ['material.titulo', 'fabricante.nome', 'codLote', 'dataVenc', 'motivo'],
  mayBeEmpty: ['codLote'],
});
