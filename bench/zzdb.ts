import { writeFileSync } from 'node:fs';
import { createDatabase } from './database.ts';
const d = await createDatabase(undefined);
writeFileSync('/tmp/zurl', d.url);
setInterval(() => {}, 1000);
