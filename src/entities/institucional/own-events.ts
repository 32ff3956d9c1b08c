/** Kind of the event for testing a receiver. */
export const TEST_EVENT = 'webhook.teste';

/** Kind of the event that reports lost events. The receiver should read the lists again. */
export const GAP_EVENT = 'webhook.lacuna';

/** Whether the event comes from the service itself, and is not a change of a record. */
export const isOwnEvent = (kind: string): boolean => kind === TEST_EVENT || kind === GAP_EVENT;
