import { afterAll, beforeAll } from 'vitest';
import { systemHeaders, type Answer, type Client } from './client.ts';
import { startService, type TestService } from './service.ts';
import { startBucket, type TestStorage } from './storages.ts';

export const files = '/arquivosdigitais/arquivos-digitais';

/** A proxy between a service and its bucket. */
export interface Between {
  url: string;
  stop(): unknown;
}

/** A service of the test file whose files are in a bucket. It reaches the bucket only through the proxy of the test. */
export class BucketService {
  storage!: TestStorage;
  service!: TestService;
  admin!: Client;
  #between: Between | undefined;

  async start(before: (url: string) => Promise<Between>, settings: NodeJS.ProcessEnv): Promise<void> {
    this.storage = await startBucket();
    this.#between = await before(this.storage.environment['FILES_S3_ENDPOINT']!);
    this.service = await startService({
      ...this.storage.environment,
      FILES_S3_ENDPOINT: this.#between.url,
      ...settings,
    });
    this.admin = (await this.service.as('admin')).with(systemHeaders);
  }

  /** The bucket through the proxy. */
  get url(): string {
    return this.#between!.url;
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.#between?.stop();
    await this.storage?.stop();
  }

  /** Sends a file of the invoice with this number. */
  send(invoice: number, content: Buffer): Promise<Answer> {
    return this.admin.post(files, {
      id_tabela_origem: invoice,
      nome_tabela_origem: 'nota_fiscal',
      nome: 'laudo.pdf',
      tipo_mime: 'application/pdf',
      conteudo: content.toString('base64'),
    });
  }
}

export function useBucket(
  before: (url: string) => Promise<Between>,
  settings: NodeJS.ProcessEnv = {},
): BucketService {
  const bucket = new BucketService();
  beforeAll(() => bucket.start(before, settings));
  afterAll(() => bucket.stop());
  return bucket;
}
