import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { commandLine } from '../src/commands/options.ts';
import { graphQuestions } from './graph-questions.ts';
import { login, systemHeaders } from './login.ts';
import { restQuestions, type OpenApi } from './rest-questions.ts';

const { values: options } = commandLine(
  {
    // A service with many records, such as those of `npm run seed:campus`.
    url: { type: 'string', default: 'http://127.0.0.1:4000' },
    only: { type: 'string', default: '' },
    slow: { type: 'string', default: '1000' },
  },
  'Usage: npx tsx bench/questions.ts [--url <http://127.0.0.1:4000>] [--only <part of a name>] [--slow <1000 ms>]',
);

/** A question of REST, or of GraphQL, which has a query. */
interface Question {
  path: string;
  query?: string;
}

const headers = { token: await login(options.url), ...systemHeaders, 'content-type': 'application/json' };

const send = ({ path, query }: Question): Promise<Response> =>
  fetch(options.url + path, {
    headers,
    ...(query !== undefined && { method: 'POST', body: JSON.stringify({ query }) }),
    signal: AbortSignal.timeout(120_000),
  });

/** What REST answers to parameters whose values fit no record. */
const EXPECTED = new Set([400, 404, 422]);

/** The time until the end of the answer, and the answer if it is an error that the question does not explain. */
async function ask(question: Question): Promise<{ ms: number; failure: string }> {
  const start = performance.now();
  const { status, text } = await send(question).then(
    async response => ({ status: response.status, text: await response.text() }),
    (error: Error) => ({ status: 0, text: error.message }),
  );
  const ms = Math.round(performance.now() - start);
  const isFailure =
    question.query === undefined ? status !== 200 && !EXPECTED.has(status) : !text.startsWith('{"data"');
  return { ms, failure: isFailure ? `${status} ${text.slice(0, 300)}` : '' };
}

const { data } = (await (await send({ path: '/graphql', query: getIntrospectionQuery() })).json()) as {
  data: IntrospectionQuery;
};
const document = (await (await send({ path: '/openapi.json' })).json()) as OpenApi;
const questions: Question[] = [
  ...graphQuestions(buildClientSchema(data), options.only).map(query => ({ path: '/graphql', query })),
  ...restQuestions(document, options.only).map(path => ({ path })),
];
const times: number[] = [];
let failed = 0;
for (const [i, question] of questions.entries()) {
  const { ms, failure } = await ask(question);
  times.push(ms);
  if (failure) failed++;
  if (failure || ms >= Number(options.slow))
    process.stdout.write(`${ms} ms  ${question.query ?? question.path}  ${failure}\n`);
  if (process.stderr.isTTY) process.stderr.write(`\r${i + 1} of ${questions.length}`);
}
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
process.stdout.write(
  `${questions.length} questions, ${failed} failed: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
