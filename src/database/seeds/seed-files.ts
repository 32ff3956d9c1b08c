import type { EntityManager } from '@mikro-orm/postgresql';
import { createHash } from 'node:crypto';
import { ArquivoDigital } from '../../entities/arquivos/arquivo-digital.ts';
import type { Pessoa } from '../../entities/permissoes/pessoa.ts';
import type { Storage } from '../../storage/storage.ts';
import { demoFiles } from './demo-files.ts';

/** Puts the contents of the demo's files into the storage, which comes before their records. */
export async function storeDemoFiles(storage: Storage): Promise<void> {
  for (const { bytes } of demoFiles) {
    const content = await storage.receive([bytes]);
    try {
      await storage.put(content);
    } finally {
      await content.discard();
    }
  }
}

/** The records of the demo's files, at rows of the storeroom. */
export async function seedFiles(em: EntityManager, people: ReadonlyMap<string, Pessoa>): Promise<void> {
  const author = people.get('almoxarife')!.id;
  for (const { tabela, linha, nome, tipoMime, bytes } of demoFiles) {
    const [row] = await em.execute<{ id: number }[]>(
      `select id from ${tabela} order by id offset ${linha - 1} limit 1`,
    );
    em.create(ArquivoDigital, {
      idTabelaOrigem: row!.id,
      nomeTabelaOrigem: tabela,
      nome,
      tipoMime,
      tamanho: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      criadoPor: author,
      alteradoPor: author,
    });
  }
  await em.flush();
}
