import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programs } from './programs.ts';

interface Ports {
  postgres: number;
  postgresProxy: number;
  rest: number;
  restProxy: number;
  etcd: number;
}

/** Name of the cluster. */
export const SCOPE = 'sii';

/** The shortest times that Patroni allows, in seconds. A leader that does not renew its lock loses it after `ttl`. */
export const timing = { ttl: 20, loop_wait: 1, retry_timeout: 3 } as const;

/** Patroni's configuration of a node, as JSON, which is also YAML. */
export function patroniConfiguration(name: string, folder: string, ports: Ports): string {
  const at = (port: number): string => `127.0.0.1:${port}`;
  return JSON.stringify(
    {
      scope: SCOPE,
      name,
      restapi: { listen: at(ports.rest), connect_address: at(ports.restProxy) },
      // Without this it would ask etcd for its address, and bypass the proxy.
      etcd3: { hosts: at(ports.etcd), use_proxies: true },
      bootstrap: {
        dcs: {
          ...timing,
          // A crashed primary is replaced at once. Patroni does not try to restart it.
          primary_start_timeout: 0,
          // A primary that is cut off waits in vain for its connections to close when it stops. Meanwhile Patroni 3.0
          // would stop it again, and try to start it twice.
          primary_stop_timeout: 1,
          // A commit is acknowledged only when a standby has it.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: {
              max_connections: 200,
              wal_keep_size: '256MB',
              wal_receiver_timeout: '3s',
              wal_sender_timeout: '3s',
              wal_retrieve_retry_interval: '500ms',
              // With many writers the checkpoint before a promotion would otherwise take long.
              checkpoint_timeout: '1min',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: at(ports.postgres),
        connect_address: at(ports.postgresProxy),
        data_dir: join(folder, 'data'),
        bin_dir: programs.postgres,
        pgpass: join(folder, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
        },
        basebackup: [{ checkpoint: 'fast' }],
        parameters: { unix_socket_directories: '' },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
      watchdog: { mode: 'off' },
    },
    undefined,
    2,
  );
}

/** Runs patronictl and returns its output. It is asynchronous, because patronictl connects through our proxies. */
export async function patronictl(configuration: string, ...args: string[]): Promise<string> {
  const run = promisify(execFile)(programs.patronictl, ['-c', configuration, ...args], { timeout: 20_000 });
  return run.then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: Error) => error.message,
  );
}
