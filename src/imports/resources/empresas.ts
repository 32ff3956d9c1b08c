import { Empresa } from '../../entities/almoxarifado/empresa.ts';
import { cnpj } from '../formats.ts';
import { Importable, type Rule } from '../importable.ts';

/** A file may lack the column `cnpj`; then a company keeps the one that it has. */
const needsCnpj: Rule = {
  columns: ['id_tipo_empresa'],
  expected: 'a kind of company that needs no CNPJ, or a CNPJ',
  broken: `exists (select from tipo_empresa k where k.id = s.id_tipo_empresa and k.obriga_cnpj = 'S')
    and case when jsonb_exists(to_jsonb(s), 'cnpj') then to_jsonb(s) ->> 'cnpj' else t.cnpj end is null`,
};

export const empresas = new Importable('empresas', Empresa, {
  key: ['nome'],
  columns: ['nome', 'cnpj', 'tipoEmpresa.descricao'],
  formats: { cnpj },
  rules: [needsCnpj],
});
