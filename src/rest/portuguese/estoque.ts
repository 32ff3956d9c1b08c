/** Texts of the stock of chemicals and its movements in Portuguese, by the English ones. */
export const estoque = {
  'Movements that wait for approval, oldest first':
    'Movimentações que aguardam aprovação, as mais antigas primeiro',
  'Approves a pending movement, which changes stock':
    'Aprova uma movimentação pendente, que passa a alterar o estoque',
  'Rejects a pending movement, which then has no effect':
    'Rejeita uma movimentação pendente, que fica sem efeito',
  'Movement to be decided': 'Movimentação a decidir',
  'Why it was rejected': 'Por que foi rejeitada',
  'One approval request, decided or not': 'Uma solicitação de aprovação, decidida ou não',
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
  'Deletes a batch whose own entry is its only movement, with that entry, unless it was rejected':
    'Exclui um lote cuja própria entrada é sua única movimentação, junto com essa entrada, se não foi rejeitada',
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
  'Changes the batch, if the movement brought it, or with level 2 on batches':
    'Altera o lote, se a movimentação o trouxe, ou com nível 2 em lotes',
  'Deletes a movement that is still pending': 'Exclui uma movimentação ainda pendente',
  'Kinds of stock movement': 'Tipos de movimentação do estoque',
  'One kind of movement': 'Um tipo de movimentação',
  'States of stock movements': 'Status de movimentações do estoque',
  'One state of movements': 'Um status de movimentação',
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
  'What to mind of a movement that was just registered, changed or approved; else null':
    'O que observar em uma movimentação recém-registrada, alterada ou aprovada; nos outros casos, null',
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
  'An invoice with which batches arrive.': 'Uma nota fiscal com que chegam lotes.',
  'What the monthly map of controlled chemicals lacks of an invoice that was just written, by field; else null':
    'O que falta, para o mapa mensal de produtos químicos controlados, a uma nota fiscal recém-gravada, por campo; nos outros casos, null',
  'A change of a movement while it waited for approval, and who made it.':
    'Uma alteração de uma movimentação enquanto ela aguardava aprovação, e quem a fez.',
  'The approval request': 'A solicitação de aprovação',
  'Column of the movement': 'Coluna da movimentação',
  'Its value before': 'Seu valor antes',
  'Its value afterwards': 'Seu valor depois',
  'How much of a batch is at a place, and who answers for it.':
    'Quanto de um lote está em um lugar, e quem responde por ele.',
  'What it is': 'O que é',
  'Invoices with which it arrived': 'Notas fiscais com que chegou',
  'That a batch came with an invoice.': 'Que um lote veio com uma nota fiscal.',
  'Batches that came with it': 'Lotes que vieram com ela',
  'What it undoes, if it is a reversal': 'O que desfaz, se é um estorno',
  'Reversals that undo it, or wait to': 'Estornos que a desfazem, ou que aguardam para desfazê-la',
  'How much of which movement a reversal undoes, or reserves while it waits for approval.':
    'Quanto de que movimentação um estorno desfaz, ou reserva enquanto aguarda aprovação.',
  'The reversal': 'O estorno',
  'The movement that it undoes': 'A movimentação que ele desfaz',
  'How much of it, in the unit of the material': 'Quanto dela, na unidade do material',
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
  'The batch that is created with it, or what the named batch is':
    'O lote que é criado com ela, ou o que é o lote indicado',
  'What a batch is.': 'O que é um lote.',
};
