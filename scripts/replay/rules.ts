import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Difference, Manner } from './compare.ts';
import type { Known } from './operations.ts';

/** A difference that somebody has looked at and accepts. What is absent is any. */
const acceptance = z.strictObject({
  operation: z.string().optional(),
  member: z.string().optional(),
  kind: z.enum(['status', 'type', 'missing', 'added', 'kind', 'value', 'count', 'order']).optional(),
  because: z.string().min(1),
});
export type Acceptance = z.infer<typeof acceptance>;

/** @throws Error when the file says something else than acceptances */
export const readAcceptances = async (file: string): Promise<Acceptance[]> =>
  z.array(acceptance).parse(JSON.parse(await readFile(file, 'utf8')));

/** The acceptance of a difference, if there is one. */
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

/** Answers about the session of the caller, or about all sessions. Each service has its own. */
const ABOUT_SESSIONS = /^\/permissoes\/(autenticacoes|parametros-acesso-api)\b/;

/** Members that differ in any two services, because each makes its own: the id of a session, the last use of a key. */
export const mannerOf = (target: string, { orders, isPaged }: Known): Manner => ({
  values: !ABOUT_SESSIONS.test(target),
  orders,
  isPaged,
});

/** Requests that open, change or end a log-in. They carry passwords, or would log the replay out. */
export const isLogin = (target: string): boolean => target.startsWith('/auth/');
