/** A request as autocannon sends it. */
export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  /** The path of each time it is sent, where that is another one. */
  anew?: () => string;
  body?: string;
  headers: Record<string, string>;
}

/** The requests of one scenario, sent in turn; the two servers answer each pair alike. */
export interface Scenario {
  service: BenchRequest[];
  baseline: BenchRequest[];
  /** What of an answer is the same on both; all of it when absent. */
  comparable?: (answer: unknown) => unknown;
  /** Requests at a time, and in a round, where those of a list would be too many: a round then lasts as long as they do. */
  few?: { connections: number; requests: number };
}
