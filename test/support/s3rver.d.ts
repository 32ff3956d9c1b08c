declare module 's3rver' {
  import type { Server } from 'node:http';

  /** A server that speaks S3 over a folder: the part of it that tests use. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string }[];
    });
    httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
