import { beforeAll, expect, it } from 'vitest';
import { consumed, entered, fileAt, makeChemical, makePartner, post } from './support/controlled.ts';
import { useService } from './support/service.ts';
import { readSiproquim, type ReadFile } from './support/siproquim-reader.ts';
import { makeInvoice } from './support/stock.ts';

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });

/** Texts of a remark, and what the file says instead. */
const remarks = {
  'Alíquotas de 500 µL (β-lactama, 25 °C, pH ≥ 7)': 'ALIQUOTAS DE 500 UL (BETA-LACTAMA, 25 C, PH >= 7)',
  '20 μL, 30 \u{1d707}L e 40 ㎕': '20 UL, 30 UL E 40 UL',
  '±0,5 mg, pH ≤ 7, teor ≠ 5 ‰, ≈ 3': '+-0,5 MG, PH <= 7, TEOR <> 5 POR MIL, ~ 3',
  '10⁻³ mol/L, 5 × 10² mL, 3 cm³ de SO₄²⁻': '10^-3 MOL/L, 5 X 10^2 ML, 3 CM3 DE SO4^2-',
  '1½ L e ½ L de CuSO₄·5H₂O → Δ': '1 1/2 L E 1/2 L DE CUSO4.5H2O -> DELTA',
  '18,2 MΩ, ω-3, α-Naftol, Γ e Λ': '18,2 MOHM, OMEGA-3, ALFA-NAFTOL, GAMA E LAMBDA',
  'N° 5, 2ª e 3º “uso” – Óleo…': `N 5, 2A E 3O "USO" - OLEO...`,
  'ﬁltro de 5 ℓ\tnuma\nlinha\u00a0☠ só': 'FILTRO DE 5 L NUMA LINHA SO',
  'De Иван e 中文': 'DE ???? E ??',
};
const dayOf = (nth: number): string => `2025-03-${String(nth + 1).padStart(2, '0')}`;
let file: ReadFile;

beforeAll(async () => {
  const chemical = await makeChemical(service(), { titulo: 'β-Mercaptoetanol 14 µmol/L ± 1 %' });
  const nota = await makeInvoice(service(), {
    numero_nf: '12345',
    data_emissao: '2025-03-02',
    id_fornecedor: await makePartner(service(), 'Ærø Łódź Straße Đorđe Þór Œuvre & Cia'),
  });
  await post(
    service(),
    entered(chemical, 50_000, dayOf(0), { idNotaFiscal: nota.id }),
    ...Object.keys(remarks).map((observacao, nth) => consumed(chemical, 10, dayOf(nth), { observacao })),
  );
  const { text } = await fileAt(service(), '/almoxarifadoquimicos/mapa-mensal?ano=2025&mes=3');
  file = readSiproquim(text);
});

it.each(Object.entries(remarks).map(([typed, written], nth) => [typed, written, nth] as const))(
  'a remark «%s» is «%s» in the file',
  (_, written, nth) => {
    expect(file.consumos[nth]!.observacao).toBe(written);
  },
);

it('micro, Greek letters and signs keep their meaning in the name of a product', () => {
  expect(file.produtos.map(({ nome }) => nome)).toEqual(['BETA-MERCAPTOETANOL 14 UMOL/L +- 1 %']);
});

it('letters of other languages keep a form in the name of a company', () => {
  expect(file.notas.map(({ razaoSocial }) => razaoSocial)).toEqual([
    'AERO LODZ STRASSE DORDE THOR OEUVRE & CIA',
  ]);
});
