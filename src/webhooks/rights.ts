/** Who has level 3 on it has webhooks. */
export const WEBHOOKS_CONTROLLER = 'institucional/webhooks';
