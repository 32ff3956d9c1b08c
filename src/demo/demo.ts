import type { EntityManager } from '@mikro-orm/postgresql';
import { digest } from '../access/secrets.ts';
import { ChaveApi } from '../entities/permissoes/chave-api.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { SERVICE, Sistema } from '../entities/permissoes/sistema.ts';
import { otherOwner } from '../domain/file-owner.ts';
import { importables, importRows } from '../imports/import-file.ts';
import { type Services } from '../request/services.ts';
import { demoCalendar } from './calendar.ts';
import { seedFiles, storeDemoFiles } from './documents.ts';
import { seedExamples } from './examples.ts';
import { demoRows } from './files.ts';
import { DEMO_API_KEY } from './login.ts';
import { seedAccess, seedAccountPasswords, seedProfiles, seedSystems } from './people.ts';
import { seedStock } from './stock.ts';

/** The files that importers read. Each stands after the files that it refers to. */
const IMPORTED = [
  'pessoas',
  'contas-gerenciais',
  'lotacoes',
  'locais',
  'responsaveis-laboratorio',
  'tipos-empresa',
  'empresas',
  'armazens',
  'unidades-medida',
  'tipos-controle',
  'classificacoes-risco',
  'materiais',
  'estoques-minimos',
  'funcionarios',
  'noticias',
  'cursos',
  'situacoes-atividade-curriculo',
  'vinculos-discente',
  'atividades-curriculo-discente',
  'situacoes-plano-ensino',
  'etapas-tramitacao',
  'planos-ensino',
  'tramitacoes-plano',
];

/** Fills a database that has no people with the demo data, in one transaction. Returns whether it did. */
export async function seedDemo(services: Pick<Services, 'orm' | 'storage' | 'listing'>): Promise<boolean> {
  const { orm } = services;
  if ((await orm.em.fork().count(Pessoa)) > 0) return false;
  // Before there are contents, so that a storage without an owner becomes that of this database.
  await otherOwner(services);
  const files = await storeDemoFiles(services);
  return orm.em.fork().transactional(async em => {
    if ((await em.count(Pessoa)) > 0) return false;
    const [{ today }] = await em.execute<[{ today: string }]>('select current_date::text as today');
    const read = demoCalendar(today);
    const sistema = await em.findOneOrFail(Sistema, { sigla: SERVICE });
    em.create(ChaveApi, { sistema, hash: digest(DEMO_API_KEY) } as never);
    await seedSystems(em);
    const profiles = await seedProfiles(em, sistema);
    await em.flush();
    await importFiles(em, read);
    await seedAccess(em, profiles);
    await seedAccountPasswords(em);
    const people = new Map((await em.find(Pessoa, {})).map(pessoa => [pessoa.usuario, pessoa]));
    await seedStock(em, people, read);
    await seedFiles(em, files, people.get('almoxarife')!.id);
    seedExamples(em);
    await em.flush();
    return true;
  });
}

async function importFiles(em: EntityManager, read: (cell: string) => string): Promise<void> {
  const known = await importables();
  for (const name of IMPORTED)
    await importRows(em, known.get(name)!, demoRows(name, read), `demo/${name}.csv`);
}
