import type { Text } from '../messages.ts';

/** What to do about missing data in the monthly map of controlled chemicals. */
export const advice = {
  code: {
    pt: 'Informe o código da Polícia Federal (TPN) no material.',
    en: "Give the material the Federal Police's code (TPN).",
  },
  substances: {
    pt: 'Cadastre as substâncias controladas da mistura, com a sua porcentagem, ou tire o NCM e informe o código TPN.',
    en: 'Register the controlled substances of the mixture with their percentages, or remove the NCM and give it the code (TPN).',
  },
  leftMap: {
    pt: 'Sem substâncias controladas, a mistura já não entra no mapa. Se ainda tem alguma, cadastre-a.',
    en: 'Without controlled substances, the mixture is no longer in the map. If it still has one, register it.',
  },
  ncm: { pt: 'Informe o NCM da mistura no material.', en: 'Give the mixture its NCM.' },
  density: {
    pt: 'Informe a densidade no material, em kg/L.',
    en: 'Give the material its density, in kg/L.',
  },
  concentration: {
    pt: 'Informe a concentração no material. O mapa não tem como dizer menos de 1 %.',
    en: 'Give the material its concentration. The map cannot say less than 1 %.',
  },
  part: {
    pt: 'O mapa só diz de 1 a 99 % de uma substância de uma mistura. Corrija a porcentagem, ou tire a substância.',
    en: 'The map says only 1 to 99 % of a substance in a mixture. Correct its percentage, or remove it.',
  },
  otherMixture: {
    pt: 'Outra mistura do mês tem o mesmo NCM e a mesma densidade, mas outras substâncias: o mapa soma as duas e escreve as substâncias de uma só. Confira o NCM, a densidade e as substâncias de ambas.',
    en: 'Another mixture of the month has the same NCM and density, but other substances. The map adds both up and writes the substances of one of them. Check NCM, density and substances of both.',
  },
  factor: {
    pt: 'Informe na unidade quantos quilogramas ou litros ela é.',
    en: 'Give the unit its factor: how many kilograms or litres it is.',
  },
  waiting: {
    pt: 'Aprove ou rejeite a movimentação: ela é deste mês.',
    en: 'Approve or reject the movement: it is of this month.',
  },
  purpose: {
    pt: 'Informe a finalidade do local de onde saiu, ou a da saída, se ela ainda espera aprovação; senão, estorne-a e a registre com a finalidade.',
    en: 'Give the location that it left a purpose, or the movement, if it still waits for approval; else reverse it and register it with a purpose.',
  },
  noInvoice: {
    pt: 'O mapa só conhece entradas com nota fiscal. Se há nota, exclua ou rejeite a entrada, se ela ainda espera aprovação, ou estorne-a, e a registre com a nota.',
    en: 'The map knows only entries with an invoice. If there is one, delete or reject the entry, if it still waits for approval, or reverse it, and register it with the invoice.',
  },
  tooLittle: {
    pt: 'O mapa só escreve três casas, e a nota não tem linha deste produto: a quantidade é pequena demais. Confira-a, e o fator da unidade. Se estão certos, guarde a nota e pergunte à Polícia Federal como a informar.',
    en: 'The map writes only three places, and the invoice has no line of this product, because it is too little. Check the quantity and the factor of the unit. If they are right, keep the invoice and ask the Federal Police how to report it.',
  },
  otherMonth: {
    pt: 'Estorna uma movimentação de outro mês: veja se o mapa daquele mês deve ser retificado.',
    en: 'It reverses a movement of another month: see whether the map of that month must be corrected.',
  },
  issued: {
    pt: 'Informe a data de emissão da nota fiscal.',
    en: 'Give the invoice its day of issue.',
  },
  invoiceNumber: {
    pt: 'O mapa tem 10 posições para o número da nota fiscal.',
    en: 'The map has 10 characters for the number of an invoice.',
  },
  otherOperation: {
    pt: 'A operação é de saída, e a nota tem entradas. Corrija a operação da nota.',
    en: 'The operation is an exit, and the invoice has entries. Correct the operation of the invoice.',
  },
  otherStorage: {
    pt: 'A armazenagem de uma entrada é S ou N, e a de uma saída é F ou T. Corrija-a na nota.',
    en: 'The storage of an entry is S or N, and that of an exit is F or T. Correct it in the invoice.',
  },
  warehouse: {
    pt: 'Informe na nota o armazém em que os produtos ficaram, ou corrija a armazenagem.',
    en: 'Give the invoice the warehouse where the goods were, or correct its storage.',
  },
} satisfies Record<string, Text>;

/** The roles of a company in an invoice, with their names in messages. */
export const companyRoles = {
  fornecedor: { pt: 'do fornecedor', en: 'the supplier' },
  transportadora: { pt: 'da transportadora', en: 'the carrier' },
  armazem: { pt: 'da empresa do armazém', en: "the warehouse's company" },
} satisfies Record<string, Text>;

/** What to do about missing data of a company with such a role. */
export const companyAdvice = {
  cnpj: ({ pt, en }: Text): Text => ({ pt: `Informe o CNPJ ${pt}.`, en: `Give ${en} its CNPJ.` }),
  checkDigits: ({ pt, en }: Text): Text => ({
    pt: `Confira o CNPJ ${pt}: os dígitos verificadores não correspondem.`,
    en: `Check the CNPJ of ${en}: its check digits do not fit.`,
  }),
  name: ({ pt, en }: Text): Text => ({ pt: `Informe o nome ${pt}.`, en: `Give ${en} a name.` }),
};
