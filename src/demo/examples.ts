import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';

/** Adds demo records of resources that are not in the specification. */
export function seedExamples(em: EntityManager): void {
  for (const [entity, records] of examples) for (const record of records) em.create(entity, record as never);
}

/** `npm run new:resource` adds two records of each resource, because tests read and change a record of every list. */
const examples: readonly (readonly [EntityClass<object>, readonly object[]])[] = [];
