import { EventEmitter } from 'node:events';
import type { PrimaryConfig } from './primary.ts';
import { PrimaryClient } from './primary.ts';
import { fieldOf, SentRows, type Field, type RowPlace } from './sent-rows.ts';

/** Members that the driver does not declare. */
interface Connected {
  connection: EventEmitter & {
    /** Parses what the stream receives. The driver calls it for each new connection. */
    attachListeners(stream: EventEmitter): void;
  };
}

/** The description of a statement's columns. */
interface Described {
  fields: { dataTypeID: number }[];
}

/** A message begins with its kind, one byte, and its length without that byte, four bytes. */
const HEADER = 5;
const DATA_ROW = 'D'.charCodeAt(0);

/**
 * A connection whose rows can be collected as PostgreSQL sends them. The driver converts each value to a string, which is
 * most of the work of a long export.
 */
export class RowsClient extends PrimaryClient {
  #collected: RowPlace[] | undefined;
  #fields: readonly Field[] = [];
  /** Parts of a message that is not complete, their length, and the length from which more can be read. */
  #parts: Buffer[] = [];
  #has = 0;
  #needs = HEADER;

  constructor(config?: PrimaryConfig) {
    super(config);
    const { connection } = this as unknown as Connected;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = stream => {
      // The driver's parser gets what it asks of a stream: its data and its end.
      const others = new EventEmitter();
      attach(others);
      stream.on('data', (chunk: Buffer) => this.#receive(chunk, others));
      stream.on('end', () => others.emit('end'));
    };
    connection.on('rowDescription', ({ fields }: Described) => {
      this.#fields = fields.map(({ dataTypeID }) =>
        fieldOf(dataTypeID, this.getTypeParser(dataTypeID, 'text') as Field['parse']),
      );
    });
  }

  /** Collects rows from now on; the driver does not see them. */
  collect(): void {
    this.#collected = [];
  }

  /** The rows that were collected since the last call. */
  take(): SentRows {
    const rows = new SentRows(this.#collected ?? [], this.#fields);
    this.collect();
    return rows;
  }

  /** Gives rows to the driver again. */
  collectNoMore(): void {
    this.#collected = undefined;
  }

  /** Passes on complete messages. A message may arrive in many parts, and is put together once. */
  #receive(chunk: Buffer, others: EventEmitter): void {
    this.#parts.push(chunk);
    this.#has += chunk.length;
    if (this.#has < this.#needs) return;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    this.#needs = HEADER;
    while (at + HEADER <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) {
        this.#needs = end - at;
        break;
      }
      if (this.#collected && bytes[at] === DATA_ROW) this.#collected.push({ bytes, at: at + HEADER });
      else others.emit('data', bytes.subarray(at, end));
      at = end;
    }
    this.#parts = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#has = bytes.length - at;
  }
}
