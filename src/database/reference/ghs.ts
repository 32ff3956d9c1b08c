import symbols from './ghs.json' with { type: 'json' };

/** Code of a hazard pictogram of the Globally Harmonized System. */
type GhsCode = keyof typeof symbols;

export interface GhsIcon {
  codigo: GhsCode;
  nome: string;
  descricao: string;
  /** The drawing as a `data:image/svg+xml` URI of under 3 kB, ready for `<img src>`. */
  icone: string;
}

/** The nine GHS hazard pictograms, named as in ABNT NBR 14725. */
export const ghsIcons: readonly GhsIcon[] = [
  icon(
    'GHS01',
    'Bomba explodindo',
    'Explosivos: explosivos, substâncias autorreativas e peróxidos orgânicos dos tipos A e B',
  ),
  icon(
    'GHS02',
    'Chama',
    'Inflamáveis: gases, aerossóis, líquidos e sólidos inflamáveis, pirofóricos, autorreativos, ' +
      'sujeitos a autoaquecimento ou que liberam gases inflamáveis em contato com a água',
  ),
  icon('GHS03', 'Chama sobre círculo', 'Oxidantes: gases, líquidos e sólidos oxidantes'),
  icon(
    'GHS04',
    'Cilindro de gás',
    'Gases sob pressão: comprimidos, liquefeitos, liquefeitos refrigerados ou dissolvidos',
  ),
  icon(
    'GHS05',
    'Corrosão',
    'Corrosivos: corrosivos para os metais, corrosão à pele e lesões oculares graves',
  ),
  icon(
    'GHS06',
    'Crânio e ossos cruzados',
    'Tóxicos: toxicidade aguda fatal ou tóxica por ingestão, contato com a pele ou inalação',
  ),
  icon(
    'GHS07',
    'Ponto de exclamação',
    'Nocivos e irritantes: toxicidade aguda nociva, irritação à pele, aos olhos e às vias respiratórias, ' +
      'sensibilização à pele, efeitos narcóticos e perigo à camada de ozônio',
  ),
  icon(
    'GHS08',
    'Perigo à saúde',
    'Perigos crônicos à saúde: carcinogenicidade, mutagenicidade, toxicidade à reprodução, sensibilização ' +
      'respiratória, toxicidade para órgãos-alvo específicos e perigo por aspiração',
  ),
  icon('GHS09', 'Meio ambiente', 'Perigosos ao ambiente aquático: toxicidade aguda e crônica'),
];

function icon(codigo: GhsCode, nome: string, descricao: string): GhsIcon {
  return { codigo, nome, descricao, icone: pictogram(symbols[codigo]) };
}

/** A red-bordered diamond on white around the black symbol, which is drawn on a 100 × 100 grid. */
function pictogram(symbol: string[]): string {
  const svg = [
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>",
    "<path fill='#fff' stroke='#d8232a' stroke-width='5' d='M50 4 96 50 50 96 4 50Z'/>",
    ...symbol,
    '</svg>',
  ].join('');
  // encodeURIComponent leaves apostrophes, which would end a quoted HTML attribute or CSS url().
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg).replaceAll("'", '%27')}`;
}
