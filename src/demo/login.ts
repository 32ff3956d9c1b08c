/** The demo's people log in with this password (contract 9). */
export const demoPassword = (usuario: string): string => `demo-${usuario}-2026`;

/** Key of the calling system `SII` in the demo. */
export const DEMO_API_KEY = 'sii-demo-key';
