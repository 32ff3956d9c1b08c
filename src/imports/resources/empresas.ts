import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { cnpj } from '../identifiers.ts';
import { Importable, type Rule } from '../importable.ts';

/** A file without the column `cnpj` keeps each company's CNPJ. */
const needsCnpj: Rule = {
  columns: ['id_tipo_empresa'],
  expected: {
    pt: 'um CNPJ, ou um tipo de empresa que não o exige',
    en: 'a CNPJ, or a kind of company that does not require one',
  },
  broken: `exists (select from tipo_empresa k where k.id = s.id_tipo_empresa and k.obriga_cnpj = 'S')
    and case when jsonb_exists(to_jsonb(s), 'cnpj') then to_jsonb(s) ->> 'cnpj' else t.cnpj end is null`,
};

export const empresas = new Importable('empresas', Empresa, {
  managedBy: ['almoxarifadoquimicos/empresas'],
  key: ['nome'],
  columns: ['nome', 'cnpj', 'tipoEmpresa.descricao'],
  formats: { cnpj },
  rules: [needsCnpj],
});
