/** Texts of the chemicals storeroom, except those of its stock, in Portuguese, by the English ones. */
export const almoxarifado = {
  'Materials of the catalogue': 'Materiais do catálogo',
  'Adds a material': 'Inclui um material',
  'Name as catalogued': 'Nome no catálogo',
  'Code in the federal catalogue of materials': 'Código no catálogo federal de materiais',
  'What it is: purity, presentation, use': 'O que é: pureza, apresentação, uso',
  'Unit in which it is counted': 'Unidade em que é contado',
  'CAS registry number, such as `67-64-1`': 'Número de registro CAS, como `67-64-1`',
  '`S` solid, `L` liquid, `G` gas, `P` paste or gel': '`S` sólido, `L` líquido, `G` gás, `P` pasta ou gel',
  'Legal control under which it stands': 'Controle legal a que está sujeito',
  'Code of the Federal Police for the chemical, `TPN` and 8 digits':
    'Código da Polícia Federal para o produto químico: `TPN` e 8 dígitos',
  '`I` precursors, `II` solvents, `III` drugs, adulterants and diluents, `IV` acids, `V` bases, `VI` reagents, `VII` controlled for exports to certain countries only':
    '`I` precursores, `II` solventes, `III` drogas, adulterantes e diluentes, `IV` ácidos, `V` bases, `VI` reagentes, `VII` controlados só na exportação para certos países',
  'NCM of a mixture, such as `3824.99.89`, by which its movements are reported to the Federal Police':
    'NCM de uma mistura, como `3824.99.89`, com a qual suas movimentações são informadas à Polícia Federal',
  'Concentration in per cent': 'Concentração em por cento',
  'Density in kg/L': 'Densidade em kg/L',
  "Label of the Army's list of controlled products (PCE), if the material is on it":
    'Designação na lista de Produtos Controlados pelo Exército (PCE), se o material estiver nela',
  'Safety data sheet (FISPQ): its name or text': 'Ficha de dados de segurança (FISPQ): seu nome ou texto',
  'Where the safety data sheet is found': 'Onde está a ficha de dados de segurança',
  'Its hazards, which replace those it had': 'Seus riscos, que substituem os que tinha',
  'One material': 'Um material',
  'Changes a material': 'Altera um material',
  'Deletes a material and answers it as it stood': 'Exclui um material e o devolve como estava',
  'Hazard classes': 'Classificações de risco',
  'Adds a hazard class': 'Inclui uma classificação de risco',
  'Pictogram that shows it': 'Ícone que a representa',
  'Name of the hazard': 'Nome do risco',
  'What it means for whoever handles the material': 'O que significa para quem manuseia o material',
  '`P` danger, `A` warning, `N` the class has none':
    '`P` perigo, `A` atenção, `N` a classificação não tem nenhuma',
  'Precautionary statements for labels, each on a line of its own':
    'Frases de precaução para etiquetas, uma por linha',
  'One hazard class': 'Uma classificação de risco',
  'Changes a hazard class': 'Altera uma classificação de risco',
  'Deletes a hazard class and answers it as it stood':
    'Exclui uma classificação de risco e a devolve como estava',
  'Hazard pictograms': 'Ícones de risco',
  'Adds a pictogram': 'Inclui um ícone',
  'The picture: an image URL, or the image itself as a data: URI':
    'A imagem: o endereço dela, ou ela mesma como URI `data:`',
  'Name, such as `Chama`': 'Nome, como `Chama`',
  'What it warns of': 'Do que avisa',
  'One pictogram': 'Um ícone',
  'Changes a pictogram': 'Altera um ícone',
  'Deletes a pictogram and answers it as it stood': 'Exclui um ícone e o devolve como estava',
  'Hazards of materials': 'Riscos de materiais',
  'Adds a hazard of a material': 'Inclui um risco de um material',
  'Hazard of the material': 'Risco do material',
  'Material that has the hazard': 'Material que tem o risco',
  'One hazard of a material': 'Um risco de um material',
  'Changes a hazard of a material': 'Altera um risco de um material',
  'Deletes a hazard of a material and answers it as it stood':
    'Exclui um risco de um material e o devolve como estava',
  'Kinds of company': 'Tipos de empresa',
  'Adds a kind of company': 'Inclui um tipo de empresa',
  'Name of the kind': 'Nome do tipo',
  'Whether companies of this kind must have a CNPJ': 'Se as empresas deste tipo precisam ter CNPJ',
  'One kind of company': 'Um tipo de empresa',
  'Changes a kind of company': 'Altera um tipo de empresa',
  'Deletes a kind of company and answers it as it stood': 'Exclui um tipo de empresa e o devolve como estava',
  'Companies that make, sell or carry materials': 'Empresas que fabricam, vendem ou transportam materiais',
  'Adds a company': 'Inclui uma empresa',
  'CNPJ, with or without punctuation; needed where its kind says so':
    'CNPJ, com ou sem pontuação; obrigatório se o tipo da empresa o exige',
  'Kind of company': 'Tipo de empresa',
  'One company': 'Uma empresa',
  'Changes a company': 'Altera uma empresa',
  'Deletes a company and answers it as it stood': 'Exclui uma empresa e a devolve como estava',
  'Laboratories and store rooms': 'Laboratórios e almoxarifados',
  'Only the locations that the caller manages today': 'Só os locais pelos quais responde hoje quem consulta',
  'Only the locations that this person manages today': 'Só os locais pelos quais esta pessoa responde hoje',
  'One location': 'Um local',
  'Who manages which laboratory, and for how long': 'Quem responde por que laboratório, e até quando',
  'Makes the caller, or with level 3 another, manager of a laboratory from today on':
    'Torna responsável por um laboratório, a partir de hoje, quem faz a requisição ou, com nível 3, outra pessoa',
  Laboratory: 'Laboratório',
  'Last day; none: until further notice': 'Último dia; se ausente, por prazo indeterminado',
  'Who manages it: the caller, or another with level 3':
    'Quem responde por ele: quem faz a requisição ou, com nível 3, outra pessoa',
  'One manager of a laboratory': 'Um responsável por laboratório',
  'Changes the term of the caller, or with level 3 that of another':
    'Altera o prazo de quem faz a requisição ou, com nível 3, o de outra pessoa',
  'Units in which materials are counted': 'Unidades de medida em que se contam os materiais',
  'One unit': 'Uma unidade de medida',
  'Legal controls under which materials stand': 'Controles legais a que estão sujeitos os materiais',
  'One legal control': 'Um tipo de controle',
  'Labels of locations; REST answers them as a PDF': 'Etiquetas de locais; REST as devolve em PDF',
  'Records, in the order of their labels': 'Registros, na ordem de suas etiquetas',
  'Sheet on which they are printed: `A4260` 21 labels of 63.5 × 38.1 mm on A4 (Pimaco A4260, Avery L7160) (when absent), `A4262` 16 labels of 99 × 33.9 mm on A4 (Pimaco A4262, Avery L7162), `A4263` 14 labels of 99 × 38.1 mm on A4 (Pimaco A4263, Avery L7163), `A4265` 8 labels of 99 × 67.7 mm on A4 (Pimaco A4265, Avery L7165), `L7159` 24 labels of 63.5 × 33.9 mm on A4 (Avery L7159), `ROLO_62X29` one label of 62 × 29 mm on each page, for label printers':
    'Folha em que são impressas: `A4260` 21 etiquetas de 63,5 × 38,1 mm em A4 (Pimaco A4260, Avery L7160) (quando ausente), `A4262` 16 etiquetas de 99 × 33,9 mm em A4 (Pimaco A4262, Avery L7162), `A4263` 14 etiquetas de 99 × 38,1 mm em A4 (Pimaco A4263, Avery L7163), `A4265` 8 etiquetas de 99 × 67,7 mm em A4 (Pimaco A4265, Avery L7165), `L7159` 24 etiquetas de 63,5 × 33,9 mm em A4 (Avery L7159), `ROLO_62X29` uma etiqueta de 62 × 29 mm em cada página, para impressoras de etiquetas',
  'First place that is free on the first sheet, counted from 1 along the rows':
    'Primeiro lugar livre na primeira folha, contado de 1 ao longo das linhas',
  'Labels of each record': 'Etiquetas de cada registro',
  'Labels of batches; REST answers them as a PDF': 'Etiquetas de lotes; REST as devolve em PDF',
  'Where companies store goods of others': 'Onde empresas armazenam mercadorias de terceiros',
  'Says where a company stores goods of others': 'Diz onde uma empresa armazena mercadorias de terceiros',
  'Company that stores': 'Empresa que armazena',
  Street: 'Logradouro',
  'Number in the street, such as `S/N`': 'Número no logradouro, como `S/N`',
  'Part of the building': 'Complemento',
  Neighbourhood: 'Bairro',
  'Postal code (CEP), with or without punctuation': 'CEP, com ou sem pontuação',
  "IBGE's code of the municipality, 7 digits": 'Código do município no IBGE, 7 dígitos',
  'One of them': 'Um deles',
  'Changes where a company stores goods of others':
    'Altera onde uma empresa armazena mercadorias de terceiros',
  'Says that a company stores goods of others no more':
    'Diz que uma empresa não armazena mais mercadorias de terceiros',
  'A laboratory or store room where materials are kept.':
    'Um laboratório ou almoxarifado em que se guardam materiais.',
  'What controlled materials are consumed for here, if a movement does not say: 1 cleaning and maintenance, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents':
    'Para que se consomem aqui materiais controlados, se a movimentação não o diz: 1 limpeza e manutenção, 2 análises laboratoriais, 3 outra, 4 produção, 5 tratamento de efluentes',
  'Unit of the institution that it belongs to': 'Lotação a que pertence',
  'Whether only its managers in force, or who manages movements, move stock out of it':
    'Se só seus responsáveis em exercício, ou quem gere movimentações, movimentam estoque para fora dele',
  'A chemical product that the storeroom may keep.': 'Um produto químico que o almoxarifado pode guardar.',
  'What the monthly map of controlled chemicals lacks of a material that was just written, by field; else null':
    'O que falta, para o mapa mensal de produtos químicos controlados, a um material recém-gravado, por campo; nos outros casos, null',
  'A unit in which materials are counted.': 'Uma unidade em que se contam os materiais.',
  'Name, such as `litro`': 'Nome, como `litro`',
  'Symbol, such as `L`': 'Símbolo, como `L`',
  '`K` kilograms, `L` litres': '`K` quilogramas, `L` litros',
  'How many of that unit one of this unit is, such as 0.001': 'Quanto dessa unidade é uma desta, como 0,001',
  'Its hazards': 'Seus riscos',
  'A legal control under which a material stands.': 'Um controle legal a que está sujeito um material.',
  'Name of the control': 'Nome do controle',
  'Authority that controls': 'Órgão controlador',
  'Whether stock movements wait for approval': 'Se as movimentações do estoque aguardam aprovação',
  'Whether its materials stand in the monthly map of the Federal Police':
    'Se seus materiais constam do mapa mensal da Polícia Federal',
  'That a material has a hazard.': 'Que um material tem um risco.',
  'A hazard class of the GHS, shown by a pictogram.':
    'Uma classificação de risco do GHS, representada por um ícone.',
  'A hazard pictogram; the nine of the GHS ship with the service.':
    'Um ícone de risco; os nove do GHS vêm com o serviço.',
  'A kind of company, such as manufacturer or carrier.':
    'Um tipo de empresa, como fabricante ou transportadora.',
  'A company that makes, sells or carries materials.':
    'Uma empresa que fabrica, vende ou transporta materiais.',
  'CNPJ without punctuation, 14 letters and digits': 'CNPJ sem pontuação, 14 letras e dígitos',
  'What the monthly map of controlled chemicals lacks of a company that was just written, by field; else null':
    'O que falta, para o mapa mensal de produtos químicos controlados, a uma empresa recém-gravada, por campo; nos outros casos, null',
  'Where a company stores goods of others: its address, for the monthly map of controlled chemicals.':
    'Onde uma empresa armazena mercadorias de terceiros: o endereço, para o mapa mensal de produtos químicos controlados.',
  'Postal code (CEP), 8 digits': 'CEP, 8 dígitos',
  'Its managers in force today': 'Seus responsáveis em exercício hoje',
  'That a person manages a laboratory for a time.':
    'Que uma pessoa responde por um laboratório por um tempo.',
  'Who manages it': 'Quem responde por ele',
  'Name of who manages it': 'Nome de quem responde por ele',
  'First day': 'Primeiro dia',
  'Labels, and the sheet on which they are printed.': 'Etiquetas, e a folha em que são impressas.',
  'Sheet: `A4260` 21 labels of 63.5 × 38.1 mm on A4 (Pimaco A4260, Avery L7160), `A4262` 16 labels of 99 × 33.9 mm on A4 (Pimaco A4262, Avery L7162), `A4263` 14 labels of 99 × 38.1 mm on A4 (Pimaco A4263, Avery L7163), `A4265` 8 labels of 99 × 67.7 mm on A4 (Pimaco A4265, Avery L7165), `L7159` 24 labels of 63.5 × 33.9 mm on A4 (Avery L7159), `ROLO_62X29` one label of 62 × 29 mm on each page, for label printers':
    'Folha: `A4260` 21 etiquetas de 63,5 × 38,1 mm em A4 (Pimaco A4260, Avery L7160), `A4262` 16 etiquetas de 99 × 33,9 mm em A4 (Pimaco A4262, Avery L7162), `A4263` 14 etiquetas de 99 × 38,1 mm em A4 (Pimaco A4263, Avery L7163), `A4265` 8 etiquetas de 99 × 67,7 mm em A4 (Pimaco A4265, Avery L7165), `L7159` 24 etiquetas de 63,5 × 33,9 mm em A4 (Avery L7159), `ROLO_62X29` uma etiqueta de 62 × 29 mm em cada página, para impressoras de etiquetas',
  'Place of the first label, from 1': 'Lugar da primeira etiqueta, a partir de 1',
  'One for each record': 'Uma para cada registro',
  'The pictograms of all labels': 'Os pictogramas de todas as etiquetas',
  'What a label says.': 'O que diz uma etiqueta.',
  'Text of the QR code, which leads back to the record': 'Texto do código QR, que leva de volta ao registro',
  'Name of the material; acronym of the location, or else its name':
    'Nome do material; sigla do local ou, sem ela, seu nome',
  'Composition of the material; name of the location': 'Composição do material; nome do local',
  'Controlled chemicals of a mixture, the largest share first':
    'Produtos químicos controlados de uma mistura, da maior parcela à menor',
  'A controlled chemical that a label names in a mixture.':
    'Um produto químico controlado que uma etiqueta nomeia em uma mistura.',
  'How much of the mixture it is, in per cent': 'Quanto da mistura ele é, em porcentagem',
  'Name of the chemical, or else its code of the Federal Police':
    'Nome do produto químico ou, sem ele, seu código da Polícia Federal',
  'Strongest signal word of the hazard classes, if each of them says its own: `P` danger, `A` warning, `N` the class has none':
    'A palavra de advertência mais forte das classificações de risco, se cada uma diz a sua: `P` perigo, `A` atenção, `N` a classificação não tem nenhuma',
  'Hazard statements. A class without a picture is named in its own':
    'Frases de perigo. Uma classificação sem ícone é nomeada na sua',
  'Precautionary statements of the hazard classes, each once':
    'Frases de precaução das classificações de risco, cada uma só uma vez',
  'Pictograms, by their identifiers in `pictogramas`':
    'Pictogramas, por seus identificadores em `pictogramas`',
  'Legal control, if it is under one': 'Controle legal, se está sujeito a um',
  "Label of the Army's list of controlled products (PCE), if it is on it":
    'Designação na lista de Produtos Controlados pelo Exército (PCE), se está nela',
  'A pictogram that labels show.': 'Um pictograma que etiquetas mostram.',
  'Identifier of the icon': 'Identificador do ícone',
  'The picture as a `data:` URI': 'A imagem como URI `data:`',
  'A hazard of a material, where it is written with the material.':
    'Um risco de um material, quando gravado com o material.',
  'Hazard class; an item without one is skipped': 'Classificação de risco; um item sem ela é pulado',
};
