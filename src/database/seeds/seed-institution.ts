import type { EntityManager } from '@mikro-orm/postgresql';
import { Lotacao } from '../../entities/almoxarifado/lotacao.ts';
import { Funcionario } from '../../entities/institucional/funcionario.ts';
import { Noticia } from '../../entities/institucional/noticia.ts';
import { demoEmployees } from './demo-employees.ts';
import { demoNews } from './demo-news.ts';

/** The demo's employees, in the units of the storeroom's demo, and its news. */
export async function seedInstitution(em: EntityManager): Promise<void> {
  const [{ now }] = await em.execute<[{ now: string }]>('select now()');
  const daysAgo = (days: number): Date => new Date(new Date(now).getTime() - days * 86_400_000);
  const units = new Map((await em.find(Lotacao, {})).map(unit => [unit.sigla, unit]));
  for (const { lotacao, daysAgo: days, ...columns } of demoEmployees)
    em.create(Funcionario, {
      ...columns,
      lotacao: units.get(lotacao)!,
      ultimaAlteracao: daysAgo(days),
    });
  demoNews.forEach(([days, titulo, resumo], i) =>
    em.create(Noticia, {
      titulo,
      resumo,
      link: `https://www.universidade.example/noticias/${demoNews.length - i}`,
      publicadaEm: daysAgo(days),
    }),
  );
  await em.flush();
}
