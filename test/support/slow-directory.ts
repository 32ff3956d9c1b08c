import { Client } from 'ldapts';
import { vi } from 'vitest';

/**
 * Runs `meanwhile` before the next change reaches the LDAP server, as if the server were slow. The other changes are
 * sent at once.
 */
export function beforeNextChange(meanwhile: () => Promise<unknown>): void {
  const spy = vi.spyOn(Client.prototype, 'modify');
  spy.mockImplementationOnce(async function (this: Client, ...change) {
    spy.mockRestore();
    await meanwhile();
    await this.modify(...change);
  });
}
