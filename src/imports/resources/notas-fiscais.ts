import { NotaFiscal } from '../../entities/almoxarifado/nota-fiscal.ts';
import { link } from '../identifiers.ts';
import { Importable } from '../importable.ts';

/** Invoices without their items: an entry that names an invoice lists its batch there. */
export const notasFiscais = new Importable('notas-fiscais', NotaFiscal, {
  managedBy: ['almoxarifadoquimicos/notas-fiscais'],
  key: ['numeroNf', 'fornecedor'],
  columns: [
    'numeroNf',
    'fornecedor.nome',
    'transportadora.nome',
    'dataEmissao',
    'dataRecebimento',
    'processoSei',
    'linkNf',
    'operacao',
    'armazenagem',
    'transporte',
    'armazem.empresa.nome',
  ],
  formats: { linkNf: link },
});
