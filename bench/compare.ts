import { isDeepStrictEqual } from 'node:util';
import { type BenchRequest, type Scenario } from './scenario.ts';

/** @throws Error when the two servers do not answer every request of the scenario alike */
async function requireSameAnswers(
  scenario: Scenario,
  serviceUrl: string,
  baselineUrl: string,
): Promise<void> {
  for (const [i, request] of scenario.service.entries()) {
    const [service, baseline] = await Promise.all([
      answer(serviceUrl, request),
      answer(baselineUrl, scenario.baseline[i]!),
    ]);
    const { comparable = whole } = scenario;
    if (!isDeepStrictEqual(await comparable(service), await comparable(baseline))) {
      throw new Error(
        `${request.path}: the answers differ\nservice  ${JSON.stringify(service)}\nbaseline ${JSON.stringify(baseline)}`,
      );
    }
  }
}

/**
 * Compares before anything is measured, so that a difference is not found only after minutes.
 * @throws Error
 */
export async function requireSameAnswersOfAll(
  scenarios: readonly Scenario[],
  serviceUrl: string,
  baselineUrl: string,
): Promise<void> {
  for (const scenario of scenarios) await requireSameAnswers(scenario, serviceUrl, baselineUrl);
}

const whole = (answer: unknown): unknown => answer;

async function answer(url: string, { path, ...init }: BenchRequest): Promise<unknown> {
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/')) return response.text();
  return type.startsWith('application/json') ? response.json() : response.bytes();
}
