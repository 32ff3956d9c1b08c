/** Kind of the event by which people try a receiver. */
export const TEST_EVENT = 'webhook.teste';

/** Kind of the event that says that others were lost, so that the receiver should read the lists again. */
export const GAP_EVENT = 'webhook.lacuna';

/** Whether the service says it by itself, and it is no change of a record. */
export const isOwnEvent = (kind: string): boolean => kind === TEST_EVENT || kind === GAP_EVENT;
