import type { EntityManager } from '@mikro-orm/postgresql';
import { readFile } from 'node:fs/promises';
import { claimContent } from '../domain/uploads.ts';
import { ArquivoDigital } from '../entities/arquivos/arquivo-digital.ts';
import type { Services } from '../request/services.ts';
import { demoPath, demoRecords } from './files.ts';

/** A file of the demo with its digest in the storage. */
interface StoredFile {
  tabela: string;
  linha: number;
  nome: string;
  tipoMime: string;
  sha256: string;
  tamanho: number;
}

/** Stores the contents of the demo's digital files. Their records come later. */
export async function storeDemoFiles({
  storage,
  listing,
}: Pick<Services, 'storage' | 'listing'>): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const { tabela, linha, nome, tipo_mime } of await demoRecords('arquivos')) {
    const content = await storage.receive([await readFile(demoPath(`arquivos/${nome}`))]);
    try {
      await claimContent(listing.reader, content.sha256);
      await storage.put(content);
      const { sha256, size: tamanho } = content;
      stored.push({
        tabela: tabela!,
        linha: Number(linha),
        nome: nome!,
        tipoMime: tipo_mime!,
        sha256,
        tamanho,
      });
    } finally {
      await content.discard();
    }
  }
  return stored;
}

/** Creates the records of these files. `linha` counts the rows of the owner's table by id, from 1. */
export async function seedFiles(
  em: EntityManager,
  files: readonly StoredFile[],
  author: number,
): Promise<void> {
  for (const { tabela, linha, ...columns } of files) {
    const [row] = await em.execute<{ id: number }[]>(
      `select id from ${em.getPlatform().quoteIdentifier(tabela)} order by id offset ? limit 1`,
      [linha - 1],
    );
    em.create(ArquivoDigital, {
      idTabelaOrigem: row!.id,
      nomeTabelaOrigem: tabela,
      ...columns,
      criadoPor: author,
      alteradoPor: author,
    });
  }
}
