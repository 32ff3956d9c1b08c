/** Texts of the map and the register of controlled chemicals in Portuguese, by the English ones. */
export const controlados = {
  'The map of a month of controlled chemicals, with what it lacks. REST answers its file to `Accept: application/octet-stream`':
    'O mapa de um mês de produtos químicos controlados, com o que lhe falta. REST devolve seu arquivo a `Accept: application/octet-stream`',
  Year: 'Ano',
  'Month, 1 to 12': 'Mês, de 1 a 12',
  'Closes a month of the map: keeps its file, and from then on nothing of the month changes. The month must be over':
    'Fecha um mês do mapa: guarda seu arquivo, e a partir daí nada do mês muda. O mês precisa ter terminado',
  'Whether the month shall be closed although it has findings (`pendencias`)':
    'Se o mês deve ser fechado embora tenha pendências (`pendencias`)',
  'Reopens a closed month of the map, so that it can change. What was kept of it stays':
    'Reabre um mês fechado do mapa, para que possa mudar. O que foi guardado dele permanece',
  Why: 'Por quê',
  'Says that the file of a closed month was sent to the Federal Police, with its protocol number':
    'Diz que o arquivo de um mês fechado foi enviado à Polícia Federal, com o número do protocolo',
  'SHA-256 of the file that is meant: refused when the month has been closed with another one by now':
    'SHA-256 do arquivo de que se trata: recusado quando o mês já foi fechado com outro',
  'Protocol number that SIPROQUIM 2 gave': 'Número do protocolo dado pelo SIPROQUIM 2',
  'Closings of months of the map of controlled chemicals, also those that somebody reopened':
    'Fechamentos de meses do mapa de produtos químicos controlados, também os que alguém reabriu',
  'One closing of a month': 'Um fechamento de um mês',
  'The register of controlled chemicals: what each month brought and took, in kg or L':
    'O livro de registro de produtos químicos controlados: o que cada mês trouxe e levou, em kg ou L',
  'Only this year': 'Só este ano',
  'Only this month, 1 to 12': 'Só este mês, de 1 a 12',
  'What is missing or odd before a month can be reported to the Federal Police, and what to do. Without `ano` and `mes`: last month and this one':
    'O que falta ou destoa antes que um mês possa ser informado à Polícia Federal, e o que fazer. Sem `ano` e `mes`: o mês passado e este',
  'The lines of the monthly map of controlled chemicals, in kg or L':
    'As linhas do mapa mensal de produtos químicos controlados, em kg ou L',
  'The map of a month of controlled chemicals.': 'O mapa de um mês de produtos químicos controlados.',
  '`aberto` it follows the ledger, `fechado` it was closed, and nothing of it changes, `enviado` it was closed and sent to the Federal Police':
    '`aberto` acompanha as movimentações, `fechado` foi fechado, e nada dele muda, `enviado` foi fechado e enviado à Polícia Federal',
  'CNPJ of the institution': 'CNPJ da instituição',
  'Activities of the institution that its file names': 'Atividades da instituição que constam de seu arquivo',
  'Its closing; null while it is open': 'Seu fechamento; null enquanto está aberto',
  'The products of its lines': 'Os produtos de suas linhas',
  Invoices: 'Notas fiscais',
  Consumption: 'Consumo',
  'What is missing or odd in the records of the month now, the first 200; the report of them lists all':
    'O que falta ou destoa agora nos registros do mês, os primeiros 200; o relatório de pendências lista todos',
  'A closing of a month of the map of controlled chemicals, which its creator closed. Nothing of the month changes until somebody reopens it.':
    'Um fechamento de um mês do mapa de produtos químicos controlados, fechado por quem o criou. Nada do mês muda até que alguém o reabra.',
  'Size of the file in bytes': 'Tamanho do arquivo em bytes',
  'SHA-256 of the file, in hexadecimal': 'SHA-256 do arquivo, em hexadecimal',
  'Protocol number that SIPROQUIM 2 gave it; null until it was sent':
    'Número do protocolo dado pelo SIPROQUIM 2; null até ser enviado',
  'When it was said that it was sent': 'Quando se informou o envio',
  'Person who said that it was sent': 'Pessoa que informou o envio',
  'When the month was reopened; null while it is closed':
    'Quando o mês foi reaberto; null enquanto está fechado',
  'Person who reopened it': 'Pessoa que o reabriu',
  'Why it was reopened': 'Por que foi reaberto',
  'A product of the map (records PR and PC).': 'Um produto do mapa (registros PR e PC).',
  'Name of its first material': 'Nome de seu primeiro material',
  'Code of the Federal Police, or NCM of a mixture': 'Código da Polícia Federal, ou NCM de uma mistura',
  'Whole per cent; null for a mixture': 'Por cento inteiros; null para uma mistura',
  'Density in kg/L, with two places': 'Densidade em kg/L, com duas casas',
  'What is in a mixture; null otherwise': 'O que há em uma mistura; nos outros casos, null',
  'A controlled substance of a mixture.': 'Uma substância controlada de uma mistura.',
  'Code of the Federal Police': 'Código da Polícia Federal',
  'Whole per cent': 'Por cento inteiros',
  'An invoice in the map (record MVN).': 'Uma nota fiscal no mapa (registro MVN).',
  'Operation, such as `EC` for a purchase': 'Operação, como `EC` para uma compra',
  Number: 'Número',
  'Supplier or recipient': 'Fornecedor ou destinatário',
  'Storage: `S` or `N` of an entry, `F` or `T` of an exit':
    'Armazenagem: `S` ou `N` de uma entrada, `F` ou `T` de uma saída',
  'Who carried: `A` buyer, `F` supplier, `T` another':
    'Quem transportou: `A` adquirente, `F` fornecedor, `T` terceiro',
  'Carrier, if it was another': 'Transportadora, se foi um terceiro',
  'Where a third party stored the goods (record MA, if the file has such)':
    'Onde um terceiro armazenou as mercadorias (registro MA, se o arquivo o tem)',
  'Its products (records MM)': 'Seus produtos (registros MM)',
  'A company, as an invoice names it.': 'Uma empresa, como consta de uma nota fiscal.',
  CNPJ: 'CNPJ',
  'A third-party warehouse, as an invoice names it.':
    'Um armazém de terceiro, como consta de uma nota fiscal.',
  'Number in the street': 'Número no logradouro',
  'State of Brazil, such as `SC`': 'Unidade da Federação, como `SC`',
  "IBGE's code of the municipality": 'Código do município no IBGE',
  'How much of a product of the map.': 'Quanto há de um produto do mapa.',
  'In kg or L, with three places; null without a factor': 'Em kg ou L, com três casas; null sem fator',
  'What was consumed of a product on a day for a purpose (record UC).':
    'O que se consumiu de um produto em um dia para uma finalidade (registro UC).',
  Day: 'Dia',
  'Purpose, 1 to 5; null where nobody said it': 'Finalidade, de 1 a 5; null se ninguém a disse',
  'Remark, if all movements of the line have it': 'Observação, se todas as movimentações da linha a têm',
  'Something that is missing or odd in the records of which the map of a month is made.':
    'Algo que falta ou destoa nos registros de que se faz o mapa de um mês.',
  'Table of the record': 'Tabela do registro',
  'Key of the record': 'Chave do registro',
  'What the record is called, or moves': 'Como se chama o registro, ou o que ele movimenta',
  'Field that is missing or odd, as REST calls it': 'Campo que falta ou destoa, com seu nome em REST',
  'What to do about it, in Portuguese': 'O que fazer a respeito, em português',
  'A month of a controlled chemical, which its code, concentration and density tell from others. Figures are null while its unit has no factor. Reversals count as less of what they undo.':
    'Um mês de um produto químico controlado, que código, concentração e densidade distinguem de outros. Os números são null enquanto sua unidade não tem fator. Estornos descontam daquilo que desfazem.',
  'List of the Federal Police': 'Lista da Polícia Federal',
  'Name of the code, or else that of its first product; a mixture has its own name':
    'Nome do código ou, sem ele, o de seu primeiro produto; uma mistura tem o seu',
  'In kg/L, with two places': 'Em kg/L, com duas casas',
  'Stock when the month began, in kg or L': 'Estoque no início do mês, em kg ou L',
  'Entries with an invoice, in kg or L': 'Entradas com nota fiscal, em kg ou L',
  'Other entries, such as donations, in kg or L': 'Outras entradas, como doações, em kg ou L',
  'Transfers within the institution, which change no stock of it, in kg or L':
    'Transferências dentro da instituição, que não mudam seu estoque, em kg ou L',
  'Consumed for cleaning and maintenance, in kg or L': 'Consumido em limpeza e manutenção, em kg ou L',
  'Consumed for laboratory analyses, in kg or L': 'Consumido em análises laboratoriais, em kg ou L',
  'Consumed for other purposes, in kg or L': 'Consumido para outros fins, em kg ou L',
  'Consumed in production, in kg or L': 'Consumido na produção, em kg ou L',
  'Consumed in the treatment of effluents, in kg or L': 'Consumido no tratamento de efluentes, em kg ou L',
  'Consumed for no stated purpose, in kg or L': 'Consumido sem finalidade informada, em kg ou L',
  'Other disposals, losses among them, in kg or L': 'Outros descartes, perdas incluídas, em kg ou L',
  'Exits with an invoice, such as sales and donations, in kg or L':
    'Saídas com nota, como vendas e doações, em kg ou L',
  '`E` came in with the invoice, `S` went out; null for consumption':
    '`E` entrou com a nota, `S` saiu; null para consumo',
  'Stock when the month ended, or now, in kg or L': 'Estoque no fim do mês, ou agora, em kg ou L',
  'Its materials, whose movements of the month make the figures':
    'Seus materiais, cujas movimentações do mês formam os números',
  'A line of the monthly map of controlled chemicals: a product of an invoice, or what was consumed of it on a day for a purpose. Of a closed month they stay as they were.':
    'Uma linha do mapa mensal de produtos químicos controlados: um produto de uma nota fiscal, ou o que se consumiu dele em um dia para uma finalidade. As de um mês fechado ficam como estavam.',
  'Record of the file: `MVN` with an invoice, `UC` consumption':
    'Registro do arquivo: `MVN` com nota fiscal, `UC` consumo',
  'Day of issue of the invoice, or of the consumption': 'Dia da emissão da nota fiscal, ou do consumo',
  'Operation of the invoice, such as `EC`': 'Operação da nota fiscal, como `EC`',
  'CNPJ of the company': 'CNPJ da empresa',
  Carrier: 'Transportadora',
  'Company of the third-party warehouse': 'Empresa do armazém de terceiro',
  'In kg or L': 'Em kg ou L',
  'Purpose of the consumption, 1 to 5': 'Finalidade do consumo, de 1 a 5',
};
