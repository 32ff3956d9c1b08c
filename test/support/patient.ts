import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Answer } from './client.ts';
import { TestService } from './service.ts';

/** More attempts than a busy service needs to accept a client. */
const MOST_TRIES = 50;

/** A client that tries again when the service is too busy. Such a refusal has no effects, so this is safe. */
export class PatientClient extends Client {
  override with(headers: Record<string, string>): Client {
    return new PatientClient(this.url, { ...this.headers, ...headers });
  }

  override async send(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await super.send(method, path, body);
      if (answer.status !== 503 || tries === MOST_TRIES) return answer;
      await sleep(Number(answer.headers.get('retry-after')) * 1000);
    }
  }
}

class PatientService extends TestService {
  override get anyone(): Client {
    return new PatientClient(this.url);
  }
}

/**
 * The same service, with clients that try again: dozens of records at the same time may be too many for a busy machine.
 */
export const patient = (service: TestService): TestService =>
  new PatientService(service.url, service.databaseUrl, service.services, () => service.stop());
