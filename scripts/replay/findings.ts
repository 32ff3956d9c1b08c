import type { Difference, Kind } from './compare.ts';
import type { KnownOperation } from './operations.ts';
import type { RecordedRequest } from './recorded.ts';
import { acceptedBy, type Acceptance } from './rules.ts';
import { HIDDEN, isSecretName, type Secrets } from './secrets.ts';

/** A difference, and how many requests show it. */
interface Finding {
  kind: Kind;
  member: string;
  requests: number;
  /** The first request that shows it, and the two answers. */
  first: { at: string; request: string; old: string; new: string };
}

interface OperationReport {
  operation: string;
  isKnown: boolean;
  /** How many requests were recorded, and how many the replay sent. Equal ones are sent once. */
  recorded: number;
  sent: number;
  differ: number;
  findings: Finding[];
  accepted: (Finding & { because: string })[];
}

/** A parameter or path that clients send and the new service does not know. */
interface Unknown {
  name: string;
  operation?: string;
  nearest?: string;
  requests: number;
  first: { at: string; request: string };
}

export interface Report {
  made: string;
  old: string;
  new: string;
  recording: { file: string; requests: number; unreadable: number };
  sent: number;
  differ: number;
  /** Number of recorded requests that were not sent, by reason. */
  notSent: Record<string, number>;
  operations: OperationReport[];
  unknown: { parameters: Unknown[]; paths: Unknown[] };
}

/** Longer values are cut. */
const SHOWN = 200;

/** Collects the findings of a replay. Secrets are hidden. */
export class Findings {
  readonly #operations = new Map<string, OperationReport>();
  readonly #parameters = new Map<string, Unknown>();
  readonly #paths = new Map<string, Unknown>();
  readonly #notSent: Record<string, number> = {};

  constructor(
    private readonly rules: readonly Acceptance[],
    private readonly secrets: Secrets,
  ) {}

  recorded(known: KnownOperation, request: RecordedRequest): void {
    this.#of(known).recorded++;
    const first = { at: request.at, request: this.#shown(request) };
    const count = (into: Map<string, Unknown>, key: string, unknown: Omit<Unknown, 'requests' | 'first'>) => {
      const found = into.get(key) ?? { ...unknown, requests: 0, first };
      found.requests++;
      into.set(key, found);
    };
    for (const one of known.unknown)
      count(this.#parameters, `${known.name} ${one.name}`, { operation: known.name, ...one });
    if (!known.isKnown) count(this.#paths, known.name, { name: known.name });
  }

  notSent(reason: string): void {
    this.#notSent[reason] = (this.#notSent[reason] ?? 0) + 1;
  }

  compared(known: KnownOperation, request: RecordedRequest, found: readonly Difference[]): void {
    const report = this.#of(known);
    report.sent++;
    let differs = false;
    for (const one of found) {
      const rule = acceptedBy(this.rules, known.name, one);
      const into: Finding[] = rule ? report.accepted : report.findings;
      const same = into.find(({ kind, member }) => kind === one.kind && member === one.member);
      if (same) same.requests++;
      else {
        const [old, now] = [one.old, one.new].map(value => this.#value(one.member, value));
        const first = { at: request.at, request: this.#shown(request), old: old!, new: now! };
        const { kind, member } = one;
        into.push({ kind, member, requests: 1, first, ...(rule && { because: rule.because }) });
      }
      differs ||= !rule;
    }
    if (differs) report.differ++;
  }

  /** The whole report. The operations with the most differing requests come first. */
  report(about: Pick<Report, 'made' | 'old' | 'new' | 'recording'>): Report {
    const operations = [...this.#operations.values()].toSorted(
      (a, b) => b.differ - a.differ || a.operation.localeCompare(b.operation),
    );
    const sum = (of: (one: OperationReport) => number): number =>
      operations.reduce((all, one) => all + of(one), 0);
    const frequent = (found: Map<string, Unknown>): Unknown[] =>
      [...found.values()].toSorted((a, b) => b.requests - a.requests);
    return {
      ...about,
      sent: sum(one => one.sent),
      differ: sum(one => one.differ),
      notSent: this.#notSent,
      operations,
      unknown: { parameters: frequent(this.#parameters), paths: frequent(this.#paths) },
    };
  }

  #of({ name, isKnown }: KnownOperation): OperationReport {
    const empty = { operation: this.secrets.hide(name), isKnown, recorded: 0, sent: 0, differ: 0 };
    const known = this.#operations.get(name) ?? { ...empty, findings: [], accepted: [] };
    this.#operations.set(name, known);
    return known;
  }

  #shown({ method, target }: RecordedRequest): string {
    return `${method} ${this.secrets.hideTarget(target)}`;
  }

  #value(member: string, value: unknown): string {
    if (value === undefined) return '';
    const hideMember = (name: string, one: unknown): unknown =>
      typeof one === 'string' && isSecretName(name) ? HIDDEN : one;
    const shown = hideMember(member.split('.').at(-1)!, value);
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown, hideMember);
    const hidden = this.secrets.hide(text);
    return hidden.length > SHOWN ? `${hidden.slice(0, SHOWN)}…` : hidden;
  }
}
