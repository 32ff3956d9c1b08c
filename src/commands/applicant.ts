import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { z } from 'zod';
import { passwordError } from '../domain/login/login.ts';
import { OperatorError } from '../errors.ts';
import { normalised } from '../text/normalised.ts';

/** The future administrator. The limits of the columns and the password rule apply. */
const Applicant = z
  .object({
    ADMIN_USERNAME: z
      .string()
      .transform(normalised)
      .pipe(z.string().min(1, 'is missing').max(100, 'is too long')),
    ADMIN_NAME: z.string().trim().min(1, 'is missing').max(200, 'is too long'),
    ADMIN_EMAIL: z.email('must be an e-mail address').max(254, 'is too long'),
    ADMIN_PASSWORD: z.string().min(10, 'must have at least 10 characters').max(1000, 'is too long'),
  })
  .superRefine(({ ADMIN_PASSWORD, ADMIN_USERNAME }, context) => {
    const error = passwordError(ADMIN_PASSWORD, ADMIN_USERNAME);
    if (error) context.addIssue({ code: 'custom', path: ['ADMIN_PASSWORD'], message: error.en });
  })
  .transform(given => ({
    usuario: given.ADMIN_USERNAME,
    nome: given.ADMIN_NAME,
    email: normalised(given.ADMIN_EMAIL),
    senha: given.ADMIN_PASSWORD,
  }));

export type Applicant = z.output<typeof Applicant>;

const questions = {
  ADMIN_USERNAME: 'User name',
  ADMIN_NAME: 'Full name',
  ADMIN_EMAIL: 'E-mail address',
  ADMIN_PASSWORD: 'Password (at least 10 characters)',
};
type Name = keyof typeof questions;

/**
 * Reads the administrator from the environment, and asks on the terminal for what is missing. Command-line arguments
 * are not used, because every user of the machine can read them.
 * @throws OperatorError that lists everything invalid or missing
 */
export async function readApplicant(environment: NodeJS.ProcessEnv): Promise<Applicant> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(questions) as Name[]) {
    given[name] = environment[name] || (process.stdin.isTTY ? await ask(name) : '');
  }
  const result = Applicant.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(issue => `  ${String(issue.path[0])} ${issue.message}`);
  throw new OperatorError(`No administrator was created:\n${problems.join('\n')}`);
}

/** Echoes the input, except for the password. */
async function ask(name: Name): Promise<string> {
  const question = `${questions[name]}: `;
  if (name !== 'ADMIN_PASSWORD') return read(process.stdout, question);
  process.stdout.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await read(nowhere, '');
  process.stdout.write('\n');
  return answer;
}

async function read(output: NodeJS.WritableStream, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // While readline reads the terminal, it receives Ctrl-C.
  terminal.once('SIGINT', () => process.exit(130));
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}
