import { Armazem } from '../../entities/almoxarifado/armazem.ts';
import { wholeNumber } from '../formats.ts';
import { cep } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const armazens = new Importable('armazens', Armazem, {
  managedBy: ['almoxarifadoquimicos/empresas'],
  key: ['empresa'],
  columns: ['empresa.nome', 'endereco', 'numero', 'complemento', 'bairro', 'cep', 'uf', 'codigoMunicipio'],
  formats: { cep, codigoMunicipio: wholeNumber(1_000_000, 9_999_999) },
});
