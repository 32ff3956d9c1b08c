/** Texts of the feed of changes and of webhooks in Portuguese, by the English ones. */
export const mudancas = {
  'Changes of records, as a feed and by webhooks': 'Mudanças de registros, em sequência e por webhooks',
  'Changes of records that the caller may list, in the order in which they were committed, without gaps and without repeats for whoever goes on from a cursor':
    'Mudanças dos registros que quem chama pode listar, na ordem em que foram efetivadas, sem lacunas e sem repetições para quem continua de um cursor',
  '`cursor` of a change or a page: only what came after it':
    '`cursor` de uma mudança ou de uma página: só o que veio depois dele',
  'Only changes of these tables; all that the caller may list when absent':
    'Só mudanças destas tabelas; se ausente, de todas as que quem chama pode listar',
  'Most changes on a page': 'Máximo de mudanças em uma página',
  'Webhooks, never their secrets': 'Webhooks, nunca seus segredos',
  'Makes a webhook that the caller owns, and its secret, which is shown this once':
    'Cria um webhook de quem chama, e seu segredo, que é mostrado só desta vez',
  'Address to which events are sent: https, and public, unless the operator has named its network (`WEBHOOK_ALLOW`)':
    'Endereço para o qual os eventos são enviados: https, e público, a menos que o operador tenha nomeado sua rede (`WEBHOOK_ALLOW`)',
  'Kinds of events, such as `lote.criado`': 'Tipos de eventos, como `lote.criado`',
  'Which of these events; all when absent': 'Quais destes eventos; se ausente, todos',
  'One webhook': 'Um webhook',
  'Identifier of the webhook': 'Identificador do webhook',
  'Changes a webhook. For that of another person it takes level 3 on all that this person may do':
    'Altera um webhook. Para o de outra pessoa é preciso nível 3 em tudo o que essa pessoa pode fazer',
  'Removes a webhook and its deliveries, and answers it as it stood':
    'Remove um webhook e suas entregas, e devolve-o como estava',
  'Pauses a webhook. Its events wait until it is resumed':
    'Pausa um webhook. Seus eventos esperam até que ele seja retomado',
  'Resumes a webhook with the events that wait. For that of another person it takes level 3 on all that this person may do':
    'Retoma um webhook com os eventos que esperam. Para o de outra pessoa é preciso nível 3 em tudo o que essa pessoa pode fazer',
  'Gives a webhook a new secret, which is shown this once. For a day both secrets sign. For the webhook of another person it takes level 3 on all that this person may do':
    'Dá a um webhook um segredo novo, que é mostrado só desta vez. Por um dia os dois segredos assinam. Para o webhook de outra pessoa é preciso nível 3 em tudo o que essa pessoa pode fazer',
  'Sends an event `webhook.teste`, once, also while the webhook is paused':
    'Envia um evento `webhook.teste`, uma vez, também enquanto o webhook está pausado',
  'Deliveries to webhooks, the latest first': 'Entregas a webhooks, da mais recente à mais antiga',
  'One delivery': 'Uma entrega',
  'Identifier of the delivery': 'Identificador da entrega',
  'Sends a delivery again that has ended, or now if it waits':
    'Envia de novo uma entrega concluída, ou já, se ela espera',
  'A part of the feed of changes, oldest first.':
    'Uma parte da sequência de mudanças, da mais antiga à mais recente.',
  'Changes; it may be empty though there are more': 'Mudanças; pode estar vazia embora haja mais',
  'Where to go on, also when the page is empty': 'De onde continuar, também quando a página está vazia',
  'Whether there may be more by now': 'Se já pode haver mais',
  'End of the whole feed. Ask for it before you read lists, and follow the feed from there':
    'Fim de toda a sequência. Peça-o antes de ler listas, e siga a sequência a partir daí',
  'A change of one record.': 'Uma mudança de um registro.',
  'Place of the change: `after` reads on from here': 'Lugar da mudança: `after` continua a leitura daqui',
  'Identifier of the change: its row in the audit trail':
    'Identificador da mudança: sua linha na trilha de auditoria',
  'When it was written, which is before it was committed':
    'Quando foi escrita, o que é antes de ser efetivada',
  'Kind: the table and what was done, such as `lote.criado` or `movimentacao.aprovada`':
    'Tipo: a tabela e o que foi feito, como `lote.criado` ou `movimentacao.aprovada`',
  'The record': 'O registro',
  'Person who changed it; null for what the service does by itself':
    'Pessoa que o mudou; nulo para o que o serviço faz por si',
  'System through which they were logged in': 'Sistema pelo qual ela havia entrado',
  'What changed, as far as the list of these records shows it':
    'O que mudou, até onde a lista destes registros o mostra',
  'The record that was changed.': 'O registro que foi mudado.',
  'Version that the record got by this change; when it was deleted, the one that it had':
    'Versão que o registro recebeu por esta mudança; quando foi removido, a que tinha',
  'A field that a write changed.': 'Um campo que uma escrita mudou.',
  'Column of the table': 'Coluna da tabela',
  'Value before, as text; null for none, `***` for a secret':
    'Valor anterior, como texto; nulo se não havia, `***` para um segredo',
  'Value afterwards, as text; null for none, `***` for a secret':
    'Valor posterior, como texto; nulo se não há, `***` para um segredo',
  'An address to which events are sent. It reads with the current rights of its owner.':
    'Um endereço que é avisado de eventos. Lê com os direitos que seu dono tem agora.',
  'Owner: who created it': 'Dono: quem o criou',
  'Address to which events are sent': 'Endereço para o qual os eventos são enviados',
  'Which of these events': 'Quais destes eventos',
  '`ativo` it gets events, `pausado` it gets none; events wait until it is resumed':
    '`ativo` recebe eventos, `pausado` não recebe nenhum; os eventos esperam até que seja retomado',
  'Why it is paused; null while it is active: `pedido` somebody paused it, `falhas` an event was not accepted in three days, `cancelamento` the receiver answered 410: it wants no more events, `direitos` its owner may not have webhooks any more, `segredo` its secret cannot be decrypted: `WEBHOOK_KEY` is another one, `copia` the database was copied or moved: resume it if no other service uses the original':
    'Por que está pausado; nulo enquanto está ativo: `pedido` alguém o pausou, `falhas` um evento não foi aceito em três dias, `cancelamento` o receptor respondeu 410: não quer mais eventos, `direitos` seu dono já não pode ter webhooks, `segredo` seu segredo não pode ser decifrado: `WEBHOOK_KEY` é outra, `copia` o banco de dados foi copiado ou mudou de lugar: retome-o se nenhum outro serviço usa o original',
  'When its secret was last changed': 'Quando seu segredo foi trocado pela última vez',
  'Only of these records': 'Só destes registros',
  'Only changes of at least one of these fields; creations and deletions, too':
    'Só mudanças de ao menos um destes campos; inclusões e remoções, também',
  'Not what was written through these systems, such as the receiver itself':
    'Não o que foi escrito por estes sistemas, como o próprio receptor',
  'An event that is, or was, sent to a webhook.': 'Um evento que é, ou foi, enviado a um webhook.',
  'When the event was found': 'Quando o evento foi encontrado',
  Webhook: 'Webhook',
  'Name of the message (`webhook-id`), the same at each try':
    'Nome da mensagem (`webhook-id`), o mesmo em cada tentativa',
  'Kind of the event, such as `lote.criado`': 'Tipo do evento, como `lote.criado`',
  'Table of its record': 'Tabela de seu registro',
  'Identifier of its record': 'Identificador de seu registro',
  '`pendente` it waits for its first or its next try, or for an earlier event of the record, `entregue` the receiver accepted it, `omitida` the owner of the webhook may not read it, so it was not sent, `falhou` it was a test, and the receiver did not accept it':
    '`pendente` espera sua primeira ou próxima tentativa, ou um evento anterior do registro, `entregue` o receptor a aceitou, `omitida` o dono do webhook não pode lê-la, por isso não foi enviada, `falhou` era um teste, e o receptor não o aceitou',
  'How often it was tried': 'Quantas vezes foi tentada',
  'When it is tried next, if it waits': 'Quando será tentada, se espera',
  'When it was last tried': 'Quando foi tentada pela última vez',
  'HTTP status of the last answer, if there was one': 'Status HTTP da última resposta, se houve uma',
  'Beginning of the last answer': 'Começo da última resposta',
  'Why there was no answer': 'Por que não houve resposta',
  'The secret of a webhook that was just made.': 'O segredo de um webhook recém-criado.',
  'The secret. It is shown this once.': 'O segredo. É mostrado só desta vez.',
  'Until when the secret before it signs, too; null: there was none':
    'Até quando o segredo anterior também assina; nulo: não havia',
  'Which events of its kinds a webhook gets. All that is given must hold.':
    'Quais eventos de seus tipos um webhook recebe. Tudo o que é dado precisa valer.',
};
