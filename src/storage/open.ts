import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { DiskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

/** The configured storage: a bucket if one is configured, otherwise the disk. */
export async function openStorage(config: Config): Promise<Storage> {
  const folder = resolve(config.DATA_DIR, 'files');
  if (config.FILES_S3_BUCKET === undefined) return new DiskStorage(folder);
  // The S3 library is loaded only when a bucket is configured.
  const { S3Storage } = await import('./s3.ts');
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (!accessKeyId !== !secretAccessKey)
    throw new OperatorError('Set FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY, both or none.');
  return new S3Storage(join(folder, 'incoming'), {
    bucket: config.FILES_S3_BUCKET,
    region: config.FILES_S3_REGION,
    endpoint: config.FILES_S3_ENDPOINT,
    timeoutMs: config.FILES_S3_TIMEOUT_MS,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  });
}
