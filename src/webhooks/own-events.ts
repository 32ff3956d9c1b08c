/** Kind of the event by which people try a receiver. It is no change of a record. */
export const TEST_EVENT = 'webhook.teste';
