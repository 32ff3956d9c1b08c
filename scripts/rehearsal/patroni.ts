import { join } from 'node:path';
import { programs } from './programs.ts';

interface Ports {
  postgres: number;
  postgresWay: number;
  rest: number;
  restWay: number;
  etcd: number;
}

/** The shortest times that Patroni allows, in seconds. A leader that is not heard of loses its place after `ttl`. */
export const timing = { ttl: 20, loop_wait: 1, retry_timeout: 3 } as const;

/** Patroni's file of a node. JSON is YAML, too. */
export function patroniConfiguration(name: string, folder: string, ports: Ports): string {
  const at = (port: number): string => `127.0.0.1:${port}`;
  return JSON.stringify(
    {
      scope: 'sii',
      name,
      restapi: { listen: at(ports.rest), connect_address: at(ports.restWay) },
      // Otherwise it would ask etcd for its address, and go round the way that can be cut.
      etcd3: { hosts: at(ports.etcd), use_proxies: true },
      bootstrap: {
        dcs: {
          ...timing,
          // A primary that crashed is replaced at once, instead of being started again.
          primary_start_timeout: 0,
          // Nothing is acknowledged that no standby has.
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
              // With many writers, a checkpoint before each promotion would take its time.
              checkpoint_timeout: '1min',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: at(ports.postgres),
        connect_address: at(ports.postgresWay),
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
