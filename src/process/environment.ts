import { readFileSync } from 'node:fs';
import { settingNames } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { parseEnvFile } from '../settings/env-file.ts';
import { fromFiles } from '../settings/secret-files.ts';

/** The process's environment, and which variables come from the file `.env` in the current folder. */
interface Environment {
  variables: NodeJS.ProcessEnv;
  inFile: readonly string[];
}

/** The process's environment plus the file `.env` in the current folder, if any, and secret files. */
export function readEnvironment(): Environment {
  const file = parseEnvFile(environmentFile());
  const inFile = Object.keys(file).filter(name => process.env[name] === undefined);
  // Libraries such as the S3 client read `process.env` themselves.
  for (const name of inFile) process.env[name] = file[name];
  return { variables: { ...process.env, ...fromFiles(process.env, settingNames) }, inFile };
}

function environmentFile(): string {
  try {
    return readFileSync('.env', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new OperatorError(`The file .env cannot be read: ${(error as Error).message}`);
  }
}
