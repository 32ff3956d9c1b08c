import type { GhsCode } from '../reference/ghs.ts';

/** `S` solid, `L` liquid, `G` gas, `P` paste or gel. */
type DemoPhysicalState = 'S' | 'L' | 'G' | 'P';

export interface DemoMaterial {
  titulo: string;
  descricao: string;
  /** CAS registry number; null for preparations, which have none. */
  numeroCas: string | null;
  catmat: string | null;
  estadoFisico: DemoPhysicalState;
  /** `sigla` of one of `demoUnits`. */
  unidade: string;
  /** `descricao` of one of `demoControlTypes`; null for preparations that were never assessed. */
  controle: string | null;
  /** `risco` of some of `demoRiskClasses`. */
  riscos: string[];
}

export interface DemoRiskClass {
  risco: string;
  /** H code and hazard statement. */
  descricao: string;
  icone: GhsCode;
}

export const demoUnits = [
  { sigla: 'mg', descricao: 'Miligrama' },
  { sigla: 'g', descricao: 'Grama' },
  { sigla: 'kg', descricao: 'Quilograma' },
  { sigla: 'µL', descricao: 'Microlitro' },
  { sigla: 'mL', descricao: 'Mililitro' },
  { sigla: 'L', descricao: 'Litro' },
  { sigla: 'm³', descricao: 'Metro cúbico' },
  { sigla: 'un', descricao: 'Unidade' },
  { sigla: 'frasco', descricao: 'Frasco' },
  { sigla: 'ampola', descricao: 'Ampola' },
  { sigla: 'bisnaga', descricao: 'Bisnaga' },
  { sigla: 'cilindro', descricao: 'Cilindro' },
] as const;

export const demoControlTypes = [
  { descricao: 'Polícia Federal', orgaoControlador: 'DPF (Lei 10.357/2001)', exigeAprovacao: true },
  { descricao: 'Exército', orgaoControlador: 'SFPC (Decreto 10.030/2019)', exigeAprovacao: true },
  { descricao: 'Polícia Civil', orgaoControlador: 'Polícia Civil do Estado', exigeAprovacao: true },
  { descricao: 'ANVISA', orgaoControlador: 'ANVISA (Portaria SVS/MS 344/1998)', exigeAprovacao: true },
  { descricao: 'Sem controle', orgaoControlador: null, exigeAprovacao: false },
] as const;

// One hazard a line reads as the table it is.
// prettier-ignore
const hazards = {
  H220: ['Gases inflamáveis, categoria 1', 'Gás extremamente inflamável', 'GHS02'],
  H224: ['Líquidos inflamáveis, categoria 1', 'Líquido e vapores extremamente inflamáveis', 'GHS02'],
  H225: ['Líquidos inflamáveis, categoria 2', 'Líquido e vapores altamente inflamáveis', 'GHS02'],
  H226: ['Líquidos inflamáveis, categoria 3', 'Líquido e vapores inflamáveis', 'GHS02'],
  H228: ['Sólidos inflamáveis', 'Sólido inflamável', 'GHS02'],
  H241: ['Peróxidos orgânicos, tipo B', 'Pode incendiar ou explodir sob ação do calor', 'GHS01'],
  H260: ['Libera gases inflamáveis em contato com a água, categoria 1', 'Em contato com a água libera gases inflamáveis que podem inflamar-se espontaneamente', 'GHS02'],
  H270: ['Gases oxidantes, categoria 1', 'Pode provocar ou agravar um incêndio; oxidante', 'GHS03'],
  H272: ['Líquidos e sólidos oxidantes, categorias 2 e 3', 'Pode agravar um incêndio; oxidante', 'GHS03'],
  H280: ['Gases sob pressão, comprimidos, liquefeitos ou dissolvidos', 'Contém gás sob pressão; pode explodir sob ação do calor', 'GHS04'],
  H281: ['Gases sob pressão, liquefeitos refrigerados', 'Contém gás refrigerado; pode provocar queimaduras ou lesões criogênicas', 'GHS04'],
  H290: ['Corrosivo para os metais, categoria 1', 'Pode ser corrosivo para os metais', 'GHS05'],
  H300: ['Toxicidade aguda oral, categorias 1 e 2', 'Fatal se ingerido', 'GHS06'],
  H301: ['Toxicidade aguda oral, categoria 3', 'Tóxico se ingerido', 'GHS06'],
  H302: ['Toxicidade aguda oral, categoria 4', 'Nocivo se ingerido', 'GHS07'],
  H304: ['Perigo por aspiração, categoria 1', 'Pode ser fatal se ingerido e penetrar nas vias respiratórias', 'GHS08'],
  H310: ['Toxicidade aguda dérmica, categorias 1 e 2', 'Fatal em contato com a pele', 'GHS06'],
  H311: ['Toxicidade aguda dérmica, categoria 3', 'Tóxico em contato com a pele', 'GHS06'],
  H314: ['Corrosão à pele, categoria 1', 'Provoca queimadura severa à pele e dano aos olhos', 'GHS05'],
  H315: ['Irritação à pele, categoria 2', 'Provoca irritação à pele', 'GHS07'],
  H317: ['Sensibilização à pele, categoria 1', 'Pode provocar reações alérgicas na pele', 'GHS07'],
  H318: ['Lesões oculares graves, categoria 1', 'Provoca lesões oculares graves', 'GHS05'],
  H319: ['Irritação ocular, categoria 2', 'Provoca irritação ocular grave', 'GHS07'],
  H330: ['Toxicidade aguda por inalação, categorias 1 e 2', 'Fatal se inalado', 'GHS06'],
  H331: ['Toxicidade aguda por inalação, categoria 3', 'Tóxico se inalado', 'GHS06'],
  H334: ['Sensibilização respiratória, categoria 1', 'Quando inalado pode provocar sintomas alérgicos, de asma ou dificuldades respiratórias', 'GHS08'],
  H335: ['Toxicidade para órgãos-alvo, exposição única, categoria 3 (irritação)', 'Pode provocar irritação das vias respiratórias', 'GHS07'],
  H336: ['Toxicidade para órgãos-alvo, exposição única, categoria 3 (narcose)', 'Pode provocar sonolência ou vertigem', 'GHS07'],
  H340: ['Mutagenicidade em células germinativas, categoria 1', 'Pode provocar defeitos genéticos', 'GHS08'],
  H341: ['Mutagenicidade em células germinativas, categoria 2', 'Suspeito de provocar defeitos genéticos', 'GHS08'],
  H350: ['Carcinogenicidade, categoria 1', 'Pode provocar câncer', 'GHS08'],
  H351: ['Carcinogenicidade, categoria 2', 'Suspeito de provocar câncer', 'GHS08'],
  H360: ['Toxicidade à reprodução, categoria 1', 'Pode prejudicar a fertilidade ou o feto', 'GHS08'],
  H361: ['Toxicidade à reprodução, categoria 2', 'Suspeita-se que prejudique a fertilidade ou o feto', 'GHS08'],
  H370: ['Toxicidade para órgãos-alvo, exposição única, categoria 1', 'Provoca danos aos órgãos', 'GHS08'],
  H372: ['Toxicidade para órgãos-alvo, exposição repetida, categoria 1', 'Provoca danos aos órgãos por exposição repetida ou prolongada', 'GHS08'],
  H373: ['Toxicidade para órgãos-alvo, exposição repetida, categoria 2', 'Pode provocar danos aos órgãos por exposição repetida ou prolongada', 'GHS08'],
  H400: ['Perigoso ao ambiente aquático, agudo, categoria 1', 'Muito tóxico para os organismos aquáticos', 'GHS09'],
  H410: ['Perigoso ao ambiente aquático, crônico, categoria 1', 'Muito tóxico para os organismos aquáticos, com efeitos prolongados', 'GHS09'],
  H411: ['Perigoso ao ambiente aquático, crônico, categoria 2', 'Tóxico para os organismos aquáticos, com efeitos prolongados', 'GHS09'],
} as const satisfies Record<string, readonly [risco: string, statement: string, icone: GhsCode]>;

/** GHS hazard classes with their category, each with the pictogram that its label shows. */
export const demoRiskClasses: DemoRiskClass[] = Object.entries(hazards).map(
  ([code, [risco, statement, icone]]) => ({ risco, descricao: `${code}: ${statement}`, icone }),
);

type Row = [
  titulo: string,
  descricao: string,
  numeroCas: string | null,
  catmat: string | null,
  estadoFisico: DemoPhysicalState,
  unidade: (typeof demoUnits)[number]['sigla'],
  controle: (typeof demoControlTypes)[number]['descricao'] | null,
  hazards: (keyof typeof hazards)[],
];

// One substance a line reads as the table it is.
// prettier-ignore
const rows: Row[] = [
  ['Acetato de etila', 'CH₃COOC₂H₅, P.A. ACS, ≥ 99,5 %', '141-78-6', '347210', 'L', 'L', 'Polícia Federal', ['H225', 'H319', 'H336']],
  ['Acetileno', 'C₂H₂, 2.6 AA para absorção atômica, dissolvido em acetona', '74-86-2', '371043', 'G', 'cilindro', 'Sem controle', ['H220', 'H280']],
  ['Acetona', '(CH₃)₂CO, P.A. ACS, ≥ 99,5 %', '67-64-1', '346618', 'L', 'L', 'Polícia Federal', ['H225', 'H319', 'H336']],
  ['Ácido acético glacial', 'CH₃COOH, P.A. ACS, ≥ 99,7 %', '64-19-7', '347325', 'L', 'L', 'Polícia Federal', ['H226', 'H314']],
  ['Ácido bórico', 'H₃BO₃, pó cristalino, P.A.', '10043-35-3', '347401', 'S', 'g', 'Polícia Federal', ['H360']],
  ['Ácido clorídrico', 'HCl em solução aquosa a 37 %, P.A. ACS, fumegante', '7647-01-0', '347512', 'L', 'L', 'Polícia Federal', ['H290', 'H314', 'H335']],
  ['Ácido fluorídrico', 'HF em solução aquosa a 48 %, frasco de polietileno', '7664-39-3', '347588', 'L', 'mL', 'Exército', ['H300', 'H310', 'H314', 'H330']],
  ['Ácido nítrico', 'HNO₃ a 65 %, P.A. ACS', '7697-37-2', '347603', 'L', 'L', 'Exército', ['H272', 'H290', 'H314', 'H331']],
  ['Ácido pícrico', '2,4,6-trinitrofenol, C₆H₃N₃O₇, umedecido com água ≥ 30 %', '88-89-1', '347655', 'S', 'g', 'Exército', ['H228', 'H301', 'H311', 'H331']],
  ['Ácido sulfúrico', 'H₂SO₄, 95–97 %, P.A. ACS', '7664-93-9', '347709', 'L', 'L', 'Polícia Federal', ['H290', 'H314']],
  ['Acrilamida', 'C₃H₅NO, para eletroforese, ≥ 99 %', '79-06-1', '348120', 'S', 'g', 'Sem controle', ['H301', 'H315', 'H317', 'H319', 'H340', 'H350', 'H361', 'H372']],
  ['Álcool em gel 70 %', 'Etanol a 70 % (m/m) em gel, bisnaga de 500 g', null, '269941', 'P', 'bisnaga', null, ['H225', 'H319']],
  ['Anidrido acético', '(CH₃CO)₂O, P.A. ACS, ≥ 97 %', '108-24-7', '348266', 'L', 'L', 'Polícia Federal', ['H226', 'H302', 'H314']],
  ['Azul de metileno', 'C₁₆H₁₈ClN₃S, C.I. 52015, corante para microscopia', '61-73-4', '348304', 'S', 'g', 'Sem controle', ['H302']],
  ['Benzeno', 'C₆H₆, P.A. ACS, uso restrito a análise', '71-43-2', '348377', 'L', 'mL', 'Sem controle', ['H225', 'H304', 'H315', 'H319', 'H340', 'H350', 'H372']],
  ['Brometo de etídio', 'C₂₁H₂₀BrN₃, solução aquosa a 10 mg/mL', '1239-45-8', '348451', 'L', 'µL', 'Sem controle', ['H302', 'H330', 'H341']],
  ['Cafeína', '1,3,7-trimetilxantina, C₈H₁₀N₄O₂, anidra, USP', '58-08-2', '348502', 'S', 'g', 'Polícia Federal', ['H302']],
  ['β-Caroteno', 'C₄₀H₅₆, sintético, ≥ 93 % (UV), ampola sob argônio', '7235-40-7', '348560', 'S', 'mg', 'Sem controle', []],
  ['Cianeto de potássio', 'KCN, P.A. ACS, ≥ 96 %', '151-50-8', '348633', 'S', 'g', 'Exército', ['H290', 'H300', 'H310', 'H330', 'H372', 'H410']],
  ['Cloreto de sódio', 'NaCl, P.A. ACS, ≥ 99 %', '7647-14-5', '348701', 'S', 'kg', 'Sem controle', []],
  ['Clorofórmio', 'CHCl₃, P.A. ACS, estabilizado com etanol', '67-66-3', '348755', 'L', 'L', 'Polícia Federal', ['H302', 'H315', 'H319', 'H331', 'H336', 'H351', 'H361', 'H372']],
  ['Cloridrato de cetamina', 'C₁₃H₁₇Cl₂NO, injetável, 50 mg/mL, uso veterinário', '1867-66-9', '270118', 'L', 'ampola', 'ANVISA', ['H302']],
  ['Diazepam', 'C₁₆H₁₃ClN₂O, padrão analítico', '439-14-5', '270203', 'S', 'mg', 'ANVISA', ['H302']],
  ['Diclorometano', 'Cloreto de metileno, CH₂Cl₂, P.A. ACS', '75-09-2', '348840', 'L', 'L', 'Polícia Federal', ['H315', 'H319', 'H336', 'H351']],
  ['Dicromato de potássio', 'K₂Cr₂O₇, P.A. ACS, padrão primário', '7778-50-9', '348902', 'S', 'g', 'Polícia Federal', ['H272', 'H301', 'H314', 'H317', 'H330', 'H334', 'H340', 'H350', 'H360', 'H372', 'H410']],
  ['Dimetilsulfóxido', 'DMSO, (CH₃)₂SO, P.A., ≥ 99,9 %', '67-68-5', '348977', 'L', 'mL', 'Sem controle', []],
  ['Enxofre', 'S₈, sublimado, pó', '7704-34-9', '349025', 'S', 'g', 'Polícia Civil', ['H228', 'H315']],
  ['Etanol', 'Álcool etílico absoluto, C₂H₅OH, P.A., ≥ 99,8 %', '64-17-5', '349090', 'L', 'L', 'Sem controle', ['H225', 'H319']],
  ['Éter etílico', '(C₂H₅)₂O, P.A. ACS, estabilizado com BHT', '60-29-7', '349132', 'L', 'L', 'Polícia Federal', ['H224', 'H302', 'H336']],
  ['Fenobarbital', 'C₁₂H₁₂N₂O₃, padrão analítico', '50-06-6', '270267', 'S', 'mg', 'ANVISA', ['H301', 'H351', 'H360']],
  ['Fenol', 'C₆H₅OH, cristais, P.A. ACS', '108-95-2', '349214', 'S', 'g', 'Sem controle', ['H301', 'H311', 'H314', 'H331', 'H341', 'H373', 'H411']],
  ['Fenolftaleína', 'C₂₀H₁₄O₄, indicador, faixa de pH 8,2–9,8', '77-09-8', '349260', 'S', 'g', 'Sem controle', ['H341', 'H350', 'H361']],
  ['Formaldeído', 'CH₂O em solução aquosa a 37 %, estabilizado com metanol', '50-00-0', '349318', 'L', 'L', 'Sem controle', ['H301', 'H311', 'H314', 'H317', 'H331', 'H335', 'H341', 'H350', 'H370']],
  ['Graxa de silicone', 'Graxa para alto vácuo, bisnaga de 50 g', null, null, 'P', 'bisnaga', null, []],
  ['n-Hexano', 'CH₃(CH₂)₄CH₃, grau HPLC, ≥ 97 %', '110-54-3', '349407', 'L', 'L', 'Sem controle', ['H225', 'H304', 'H315', 'H336', 'H361', 'H373', 'H411']],
  ['Hidrogênio', 'H₂, 5.0 analítico, cilindro de 7 m³', '1333-74-0', '371120', 'G', 'cilindro', 'Sem controle', ['H220', 'H280']],
  ['Hidróxido de amônio', 'NH₄OH, 28–30 % em NH₃, P.A. ACS', '1336-21-6', '349465', 'L', 'L', 'Polícia Federal', ['H314', 'H335', 'H400']],
  ['Hidróxido de sódio', 'NaOH, microesferas, P.A. ACS', '1310-73-2', '349511', 'S', 'kg', 'Sem controle', ['H290', 'H314']],
  ['Iodo', 'I₂, ressublimado, P.A. ACS', '7553-56-2', '349570', 'S', 'g', 'Polícia Federal', ['H302', 'H315', 'H319', 'H335', 'H372', 'H400']],
  ['β-Mercaptoetanol', '2-mercaptoetanol, HOCH₂CH₂SH, para biologia molecular', '60-24-2', '349633', 'L', 'mL', 'Sem controle', ['H301', 'H310', 'H315', 'H317', 'H318', 'H331', 'H373', 'H410']],
  ['Mercúrio', 'Hg, bidestilado', '7439-97-6', '349688', 'L', 'g', 'Sem controle', ['H330', 'H360', 'H372', 'H410']],
  ['Metanol', 'CH₃OH, grau HPLC, ≥ 99,9 %', '67-56-1', '349741', 'L', 'L', 'Polícia Civil', ['H225', 'H301', 'H311', 'H331', 'H370']],
  ['Metiletilcetona', '2-butanona, CH₃COC₂H₅, P.A. ACS', '78-93-3', '349805', 'L', 'L', 'Polícia Federal', ['H225', 'H319', 'H336']],
  ['α-Naftol', '1-naftol, C₁₀H₈O, P.A., reagente de Molisch', '90-15-3', '349862', 'S', 'g', 'Sem controle', ['H302', 'H315', 'H318', 'H335']],
  ['Nitrato de amônio', 'NH₄NO₃, P.A. ACS', '6484-52-2', '349917', 'S', 'g', 'Exército', ['H272', 'H319']],
  ['Nitrato de potássio', 'KNO₃, P.A. ACS', '7757-79-1', '349958', 'S', 'g', 'Polícia Civil', ['H272']],
  ['Nitrato de prata', 'AgNO₃, P.A. ACS, frasco âmbar de 25 g', '7761-88-8', '350016', 'S', 'frasco', 'Sem controle', ['H272', 'H290', 'H314', 'H410']],
  ['Nitrogênio líquido', 'N₂, −196 °C, entregue em recipiente criogênico', '7727-37-9', '371188', 'L', 'L', 'Sem controle', ['H281']],
  ['Oxigênio', 'O₂, 4.0, medido em m³ a 15 °C', '7782-44-7', '371214', 'G', 'm³', 'Sem controle', ['H270', 'H280']],
  ['Permanganato de potássio', 'KMnO₄, P.A. ACS', '7722-64-7', '350102', 'S', 'g', 'Polícia Federal', ['H272', 'H302', 'H314', 'H410']],
  ['Peróxido de benzoíla', '(C₆H₅CO)₂O₂, umedecido com água a 25 %', '94-36-0', '350155', 'S', 'g', 'Sem controle', ['H241', 'H317', 'H319', 'H410']],
  ['Peróxido de hidrogênio', 'H₂O₂ em solução aquosa a 30 %, P.A. ACS', '7722-84-1', '350189', 'L', 'L', 'Sem controle', ['H302', 'H318']],
  ['Sílica-gel 60', 'SiO₂, 40–63 µm, para cromatografia em coluna', '7631-86-9', '350224', 'S', 'kg', 'Sem controle', []],
  ['Sódio metálico', 'Na, em bastões sob óleo mineral', '7440-23-5', '350261', 'S', 'g', 'Sem controle', ['H260', 'H314']],
  ['Sulfato de cobre(II) penta-hidratado', 'CuSO₄·5H₂O, P.A. ACS', '7758-99-8', '350330', 'S', 'g', 'Sem controle', ['H302', 'H318', 'H410']],
  ['Tampão fosfato-salino', 'PBS 10×, pH 7,4, filtrado em membrana de 0,22 µm', null, null, 'L', 'mL', null, []],
  ['Tetra-hidrofurano', 'THF, C₄H₈O, P.A. ACS, estabilizado com BHT', '109-99-9', '350412', 'L', 'L', 'Sem controle', ['H225', 'H302', 'H319', 'H335', 'H351']],
  ['α-Tocoferol', 'DL-α-tocoferol, vitamina E, C₂₉H₅₀O₂, ≥ 96 %', '10191-41-0', null, 'L', 'mL', 'Sem controle', []],
  ['Tolueno', 'C₆H₅CH₃, P.A. ACS, ≥ 99,5 %', '108-88-3', '350508', 'L', 'L', 'Polícia Federal', ['H225', 'H304', 'H315', 'H336', 'H361', 'H373']],
  ['Vaselina sólida', 'Petrolato branco, USP', '8009-03-8', '269987', 'P', 'g', 'Sem controle', []],
];

/**
 * Sixty materials of a university's chemicals storeroom. CAS numbers are real, GHS classes and control types
 * plausible; CATMAT codes are fictional.
 */
export const demoMaterials: DemoMaterial[] = rows.map(
  ([titulo, descricao, numeroCas, catmat, estadoFisico, unidade, controle, codes]) => ({
    titulo,
    descricao,
    numeroCas,
    catmat,
    estadoFisico,
    unidade,
    controle,
    riscos: codes.map(code => hazards[code][0]),
  }),
);
