import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Difference, Strictness } from './compare.ts';
import type { KnownOperation } from './operations.ts';

/** A rule that accepts differences. A field that is left out matches everything. */
const acceptance = z.strictObject({
  operation: z.string().optional(),
  member: z.string().optional(),
  kind: z.enum(['status', 'type', 'missing', 'added', 'kind', 'value', 'count', 'order']).optional(),
  because: z.string().min(1),
});
export type Acceptance = z.infer<typeof acceptance>;

/** @throws Error when the file has another content */
export const readAcceptances = async (file: string): Promise<Acceptance[]> =>
  z.array(acceptance).parse(JSON.parse(await readFile(file, 'utf8')));

/** The first rule that accepts a difference. */
export const acceptedBy = (
  rules: readonly Acceptance[],
  operation: string,
  { kind, member }: Difference,
): Acceptance | undefined =>
  rules.find(
    rule =>
      (rule.operation ?? operation) === operation &&
      (rule.member ?? member) === member &&
      (rule.kind ?? kind) === kind,
  );

/** Paths whose answers are about sessions or API keys. Their values always differ between two services. */
const ABOUT_SESSIONS = /^\/permissoes\/(autenticacoes|parametros-acesso-api)\b/;

/** How strictly the answers to a request are compared. */
export const strictnessOf = (target: string, { orders, isPaged }: KnownOperation): Strictness => ({
  values: !ABOUT_SESSIONS.test(target),
  orders,
  isPaged,
});

/** Whether a request logs in or out or changes a password. It carries a password, or would log the replay out. */
export const isLogin = (target: string): boolean => target.startsWith('/auth/');
