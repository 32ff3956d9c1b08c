/** Kind of the event with which people test a receiver. */
export const TEST_EVENT = 'webhook.teste';

/** Kind of the event that says that events were lost. The receiver should read the lists again. */
export const GAP_EVENT = 'webhook.lacuna';

/** Whether the event is of the service itself, not a change of a record. */
export const isOwnEvent = (kind: string): boolean => kind === TEST_EVENT || kind === GAP_EVENT;
