/** Texts of the chemicals storeroom in Portuguese, by the English ones. */
export const almoxarifado = {
  'Movements that wait for approval, oldest first':
    'Movimentações que aguardam aprovação, as mais antigas primeiro',
  'Approves a pending movement, which changes stock':
    'Aprova uma movimentação pendente, que passa a alterar o estoque',
  'Rejects a pending movement, which then has no effect':
    'Rejeita uma movimentação pendente, que fica sem efeito',
  'Movement to be decided': 'Movimentação a decidir',
  'Why it was rejected': 'Por que foi rejeitada',
  'One approval request, decided or not': 'Uma solicitação de aprovação, decidida ou não',
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
  'How much of which batch is where': 'Quanto há de cada lote, e onde',
  'Enters stock by a movement and answers its place; that of a controlled material after approval':
    'Dá entrada no estoque por uma movimentação e devolve o lugar; de um material controlado, depois da aprovação',
  Batch: 'Lote',
  'Location that answers for it': 'Local responsável',
  'Location where it is stored': 'Local de armazenamento',
  'How much, in the unit of the material': 'Quantidade, na unidade do material',
  'The stock of a batch at a place': 'O estoque de um lote em um lugar',
  'Batches of materials': 'Lotes de materiais',
  'Adds a batch and enters what arrived into stock': 'Inclui um lote e dá entrada no estoque do que chegou',
  'What it is a batch of': 'Material do lote',
  Manufacturer: 'Fabricante',
  "Manufacturer's code of the batch": 'Código do lote, dado pelo fabricante',
  'Day on which it expires': 'Dia em que vence',
  'How much arrived, in the unit of the material': 'Quanto chegou, na unidade do material',
  'Location that answers for what arrived': 'Local responsável pelo que chegou',
  'Location where it is stored; the same when absent': 'Local de armazenamento; se ausente, o responsável',
  'Why it was entered': 'Por que foi dada entrada',
  'Invoices with which it came': 'Notas fiscais com que veio',
  'One batch': 'Um lote',
  'Changes a batch': 'Altera um lote',
  'Invoices with which it came, which replace those it had':
    'Notas fiscais com que veio, que substituem as que tinha',
  'Deletes a batch whose own entry is its only movement, with that entry':
    'Exclui um lote cuja própria entrada é sua única movimentação, junto com essa entrada',
  'Invoices with which batches arrived': 'Notas fiscais com que chegaram lotes',
  'Adds an invoice and enters its batches into stock':
    'Inclui uma nota fiscal e dá entrada no estoque de seus lotes',
  'Number of the invoice': 'Número da nota fiscal',
  'Company that carried the goods': 'Empresa que transportou as mercadorias',
  'Company that sold the goods; of an exit, the one that gets them':
    'Empresa que vendeu as mercadorias; de uma saída, a que as recebe',
  'Day of issue': 'Dia da emissão',
  'Day on which the goods arrived': 'Dia em que as mercadorias chegaram',
  'Number of the administrative process (SEI)': 'Número do processo administrativo (SEI)',
  'Where the invoice is found': 'Onde está a nota fiscal',
  '`EC` entry: purchase, what an entry is when absent, `ET` entry: transfer from another CNPJ, `ED` entry: donation, `EA` entry: product that is stored for another, `EP` entry: product that was processed, `EI` entry: product to be processed, `ER` entry: other, `SV` exit: sale, `ST` exit: transfer to another CNPJ, `SA` exit: return of a stored product, `SI` exit: return of a processed product, `SD` exit: donation, `SR` exit: to be stored, `SP` exit: to be processed, `SO` exit: other':
    '`EC` entrada: compra, o que é uma entrada quando ausente, `ET` entrada: transferência de outro CNPJ, `ED` entrada: doação, `EA` entrada: produto armazenado para terceiro, `EP` entrada: produto que foi processado, `EI` entrada: produto a processar, `ER` entrada: outra, `SV` saída: venda, `ST` saída: transferência para outro CNPJ, `SA` saída: devolução de produto armazenado, `SI` saída: devolução de produto processado, `SD` saída: doação, `SR` saída: para armazenagem, `SP` saída: para processamento, `SO` saída: outra',
  '`S` entry: delivered to another address than the registered one, what an entry with a warehouse has when absent, `N` entry: delivered to the registered address, what an entry has when absent, `F` exit: stored by the supplier, what an exit has when absent, `T` exit: stored by a third party, what an exit with a warehouse has when absent':
    '`S` entrada: entregue em endereço diferente do cadastrado, o que vale para uma entrada com armazém quando ausente, `N` entrada: entregue no endereço cadastrado, o que vale para uma entrada quando ausente, `F` saída: armazenada pelo fornecedor, o que vale para uma saída quando ausente, `T` saída: armazenada por terceiro, o que vale para uma saída com armazém quando ausente',
  '`A` the buyer, `F` the supplier, `T` a third party': '`A` o adquirente, `F` o fornecedor, `T` um terceiro',
  'Where a third party stores the goods: where those of an entry were delivered, or where those of an exit were':
    'Onde um terceiro armazena as mercadorias: onde foram entregues as de uma entrada, ou onde estavam as de uma saída',
  'Batches that came with it, its items. New ones enter stock; those that are left out keep their stock':
    'Lotes que vieram com ela, seus itens. Os novos dão entrada no estoque; os que faltarem mantêm seu estoque',
  'One invoice': 'Uma nota fiscal',
  'Changes an invoice and its items, and moves the stock that makes the difference':
    'Altera uma nota fiscal e seus itens, e movimenta no estoque a diferença',
  'Deletes an invoice with which nothing was entered into stock':
    'Exclui uma nota fiscal com a qual nada deu entrada no estoque',
  'Which batches came with which invoices': 'Que lotes vieram com que notas fiscais',
  'Links a batch to an invoice': 'Liga um lote a uma nota fiscal',
  Invoice: 'Nota fiscal',
  'One link of a batch to an invoice': 'Uma ligação de um lote a uma nota fiscal',
  'Identifier of the link': 'Identificador da ligação',
  'Its invoice; whichever when absent': 'Sua nota fiscal; se ausente, qualquer uma',
  'Changes the link of a batch to an invoice': 'Altera a ligação de um lote a uma nota fiscal',
  'Deletes the link of a batch to an invoice': 'Exclui a ligação de um lote a uma nota fiscal',
  'Movements of stock': 'Movimentações do estoque',
  'Only movements that wait for approval': 'Só movimentações que aguardam aprovação',
  'Registers movements, all or none: effective at once, or pending approval where the material is controlled':
    'Registra movimentações, todas ou nenhuma: efetivas na hora, ou pendentes de aprovação se o material é controlado',
  'At least one movement': 'Ao menos uma movimentação',
  'One movement': 'Uma movimentação',
  'Changes a movement that is still pending; an effective one is undone by a reversal':
    'Altera uma movimentação ainda pendente; uma efetivada se desfaz por estorno',
  'Location that answered for it before; kinds 3, 4 and 5 need it':
    'Local responsável antes; os tipos 3, 4 e 5 precisam dele',
  'Location that answers for it afterwards; kinds 1, 2 and 3 need it':
    'Local responsável depois; os tipos 1, 2 e 3 precisam dele',
  'Location where it was stored; the responsible one when absent':
    'Local de armazenamento antes; se ausente, o responsável',
  'Location where it is stored afterwards; the responsible one when absent':
    'Local de armazenamento depois; se ausente, o responsável',
  Remark: 'Observação',
  'Purpose of a consumption of a controlled material: 1 cleaning and maintenance, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents. That of the location when absent':
    'Finalidade do consumo de um material controlado: 1 limpeza e manutenção, 2 análises laboratoriais, 3 outra, 4 produção, 5 tratamento de efluentes. Se ausente, a do local',
  'Whether it is a reversal, which has the opposite effect': 'Se é um estorno, que tem o efeito contrário',
  'Whether the batch shall leave although it has expired; see `EXPIRED_STOCK`':
    'Se o lote deve sair embora esteja vencido; ver `EXPIRED_STOCK`',
  'Batch that moves': 'Lote movimentado',
  'Changes the batch with it': 'Altera o lote junto',
  'Deletes a movement that is still pending': 'Exclui uma movimentação ainda pendente',
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
  'Kinds of stock movement': 'Tipos de movimentação do estoque',
  'One kind of movement': 'Um tipo de movimentação',
  'States of stock movements': 'Status de movimentações do estoque',
  'One state of movements': 'Um status de movimentação',
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
  'A movement of a controlled material that waits, or waited, for approval.':
    'Uma movimentação de um material controlado que aguarda, ou aguardou, aprovação.',
  '`P` pending, `A` approved, `R` rejected': '`P` pendente, `A` aprovada, `R` rejeitada',
  'Person who asked': 'Pessoa que solicitou',
  'When it was asked': 'Quando foi solicitada',
  'Person who decided': 'Pessoa que decidiu',
  'When it was decided': 'Quando foi decidida',
  'What was changed of the movement while it waited': 'O que mudou na movimentação enquanto ela aguardava',
  'A movement of stock.': 'Uma movimentação do estoque.',
  'Kind of movement': 'Tipo de movimentação',
  '1 pending, 2 effective, 3 rejected': '1 pendente, 2 efetivada, 3 rejeitada',
  'Location that answered for it before': 'Local responsável antes',
  'Location that answers for it afterwards': 'Local responsável depois',
  'Location where it was stored': 'Local de armazenamento antes',
  'Location where it is stored afterwards': 'Local de armazenamento depois',
  'How much of it reversals have undone': 'Quanto dela os estornos desfizeram',
  'How much of it is reserved by reversals that wait for approval':
    'Quanto dela está reservado por estornos que aguardam aprovação',
  'Invoice with which it came': 'Nota fiscal com que veio',
  'When it was registered': 'Quando foi registrada',
  'Whether who registered it said that they know of the expiry of the batch':
    'Se quem a registrou disse saber que o lote está vencido',
  'Whether the batch had expired when it left a place other than by disposal':
    'Se o lote estava vencido quando saiu de um lugar que não por descarte',
  'What to mind of a movement that was just registered or changed; else null':
    'O que observar em uma movimentação recém-registrada ou alterada; nos outros casos, null',
  'What moves': 'O que é movimentado',
  'Unit of the quantity': 'Unidade da quantidade',
  'A batch of a material from one manufacturer.': 'Um lote de um material de um fabricante.',
  'Location where what arrived was put': 'Local em que foi posto o que chegou',
  'A kind of stock movement. The five of them ship with the service.':
    'Um tipo de movimentação do estoque. Os cinco vêm com o serviço.',
  'Whether it takes from a location': 'Se tira de um local',
  'Whether it brings to a location': 'Se leva a um local',
  'A state of a stock movement. The three of them ship with the service.':
    'Um status de movimentação do estoque. Os três vêm com o serviço.',
  'A laboratory or store room where materials are kept.':
    'Um laboratório ou almoxarifado em que se guardam materiais.',
  'What controlled materials are consumed for here, if a movement does not say: 1 cleaning and maintenance, 2 laboratory analyses, 3 other, 4 production, 5 treatment of effluents':
    'Para que se consomem aqui materiais controlados, se a movimentação não o diz: 1 limpeza e manutenção, 2 análises laboratoriais, 3 outra, 4 produção, 5 tratamento de efluentes',
  'Unit of the institution that it belongs to': 'Lotação a que pertence',
  'Whether only its managers in force, or who manages movements, move stock out of it':
    'Se só seus responsáveis em exercício, ou quem gere movimentações, movimentam estoque para fora dele',
  'An invoice with which batches arrive.': 'Uma nota fiscal com que chegam lotes.',
  'What the monthly map of controlled chemicals lacks of an invoice that was just written, by field; else null':
    'O que falta, para o mapa mensal de produtos químicos controlados, a uma nota fiscal recém-gravada, por campo; nos outros casos, null',
  'A chemical product that the storeroom may keep.': 'Um produto químico que o almoxarifado pode guardar.',
  'What the monthly map of controlled chemicals lacks of a material that was just written, by field; else null':
    'O que falta, para o mapa mensal de produtos químicos controlados, a um material recém-gravado, por campo; nos outros casos, null',
  'A unit in which materials are counted.': 'Uma unidade em que se contam os materiais.',
  'Name, such as `litro`': 'Nome, como `litro`',
  'Symbol, such as `L`': 'Símbolo, como `L`',
  '`K` kilograms, `L` litres': '`K` quilogramas, `L` litros',
  'How many of that unit one of this unit is, such as 0.001': 'Quanto dessa unidade é uma desta, como 0,001',
  'A change of a movement while it waited for approval, and who made it.':
    'Uma alteração de uma movimentação enquanto ela aguardava aprovação, e quem a fez.',
  'The approval request': 'A solicitação de aprovação',
  'Column of the movement': 'Coluna da movimentação',
  'Its value before': 'Seu valor antes',
  'Its value afterwards': 'Seu valor depois',
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
  'How much of a batch is at a place, and who answers for it.':
    'Quanto de um lote está em um lugar, e quem responde por ele.',
  'What it is': 'O que é',
  'Invoices with which it arrived': 'Notas fiscais com que chegou',
  'That a batch came with an invoice.': 'Que um lote veio com uma nota fiscal.',
  'Batches that came with it': 'Lotes que vieram com ela',
  'Where a company stores goods of others: its address, for the monthly map of controlled chemicals.':
    'Onde uma empresa armazena mercadorias de terceiros: o endereço, para o mapa mensal de produtos químicos controlados.',
  'Postal code (CEP), 8 digits': 'CEP, 8 dígitos',
  'What it undoes, if it is a reversal': 'O que desfaz, se é um estorno',
  'Reversals that undo it, or wait to': 'Estornos que a desfazem, ou que aguardam para desfazê-la',
  'How much of which movement a reversal undoes, or reserves while it waits for approval.':
    'Quanto de que movimentação um estorno desfaz, ou reserva enquanto aguarda aprovação.',
  'The reversal': 'O estorno',
  'The movement that it undoes': 'A movimentação que ele desfaz',
  'How much of it, in the unit of the material': 'Quanto dela, na unidade do material',
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
  'An invoice with which a batch came.': 'Uma nota fiscal com que um lote veio.',
  'Invoice; an item without one is skipped': 'Nota fiscal; um item sem ela é pulado',
  'An item of an invoice: a batch with the quantity that arrived, and where. With `id` it is that batch.':
    'Um item de uma nota fiscal: um lote com a quantidade que chegou, e onde. Com `id`, é esse lote.',
  'The batch, if it came with this invoice. Without `id` it is the batch of the same material, manufacturer and code, or a new one. A new invoice has none':
    'O lote, se veio com esta nota fiscal. Sem `id`, é o lote do mesmo material, fabricante e código, ou um novo. Em uma nota fiscal nova não há nenhum',
  'How much arrived, in the unit of the material, at least 1. Another quantity makes the movement of the difference':
    'Quanto chegou, na unidade do material, ao menos 1. Outra quantidade faz a movimentação da diferença',
  'Location that answers for what arrived. A new batch needs it':
    'Local responsável pelo que chegou. Um lote novo precisa dele',
  'Batch that moves; null for a new one, given in `lote`':
    'Lote movimentado; null para um novo, dado em `lote`',
  'Kind: 1 entry with an invoice, 2 other entry, 3 transfer, 4 consumption, 5 disposal':
    'Tipo: 1 entrada com nota fiscal, 2 entrada avulsa, 3 transferência, 4 consumo, 5 descarte',
  'The batch that is created with it': 'O lote que é criado com ela',
  'What a batch is.': 'O que é um lote.',
};
