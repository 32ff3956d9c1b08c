import { join } from 'node:path';

export const project = join(import.meta.dirname, '../..');
