import { Lote } from '../../entities/almoxarifado/lote.ts';
import { Importable } from '../importable.ts';

/** Batches. Their quantities and locations are imported as `saldos-iniciais`. */
export const lotes = new Importable('lotes', Lote, {
  managedBy: ['almoxarifadoquimicos/lotes'],
  key: ['material', 'fabricante', 'codLote'],
  columns: ['material.titulo', 'fabricante.nome', 'codLote', 'dataVenc', 'motivo'],
  mayBeEmpty: ['codLote'],
});
