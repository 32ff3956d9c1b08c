/** A request that a client once sent, as it was recorded. */
export interface Recorded {
  /** When it was sent, ISO 8601; empty if the record does not say. */
  at: string;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** Host of the address, if the record says it. */
  host?: string;
  /** Status that was answered then. */
  status?: number;
  /** Whether it had a token; undefined if the record does not say. */
  hadToken?: boolean;
  /** JSON text of its body. */
  body?: string;
}

/** What was read of a file. */
export interface Recording {
  requests: Recorded[];
  /** Lines or entries that are no requests. */
  unreadable: number;
}
