/** The password of each person in the demo (contract 9). */
export const demoPassword = (usuario: string): string => `demo-${usuario}-2026`;

/** Key of the calling system `SII` in the demo. */
export const DEMO_API_KEY = 'sii-demo-key';
