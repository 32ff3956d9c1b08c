/** A recorded request of a client. */
export interface RecordedRequest {
  /** When it was sent, as ISO 8601; empty if unknown. */
  at: string;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** Host of the URL, if known. */
  host?: string;
  /** Status of the recorded answer. */
  status?: number;
  /** Whether it had a token; undefined if unknown. */
  hadToken?: boolean;
  /** JSON text of its body. */
  body?: string;
}

/** The content of a file of recorded requests. */
export interface Recording {
  requests: RecordedRequest[];
  /** Number of lines or entries that are not requests. */
  unreadable: number;
}
