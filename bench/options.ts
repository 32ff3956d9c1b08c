import { misused, options } from '../src/commands/options.ts';
import { scenarioNames } from './scenarios.ts';

/** Everything that can be run: the scenarios of the comparison, and requests of growing size. */
const runNames = [...scenarioNames, 'movement.batch'] as const;
type RunName = (typeof runNames)[number];

export interface Options {
  /** Whether to print nothing but one JSON object. */
  json: boolean;
  /** Materials in the database, of each size that is to be measured. */
  rows: readonly number[];
  /** Measurements of each server in each scenario. */
  rounds: number;
  /** Length of one measurement. */
  seconds: number;
  /** Length of the warm-up before the first. Node compiles what is used often, after some thousands of requests. */
  warmUp: number;
  only: readonly RunName[];
  /** Whether the baseline looks up the caller's session and permission, as the service does. */
  baselineAuth: boolean;
  /** Whether the baseline prepares its statements, as the service does. */
  baselinePrepared: boolean;
  /** Length of the memory run; 0 leaves it out. */
  memorySeconds: number;
  /** Folder for a CPU profile of the service, opened by Chrome's developer tools. */
  profile: string | undefined;
}

/** Whether everything is run, so that the figures are worth keeping. */
export const isWhole = ({ only }: Options): boolean => only.length === runNames.length;

const USAGE = `Usage: npm run bench -- [--rows <10000,100000,1000000>] [--only <scenario,…>] [--rounds <5>] [--seconds <3>]
  [--warm-up <10>] [--memory-seconds <60>] [--no-memory] [--no-auth-baseline] [--plain-baseline] [--profile <folder>] [--json]
Scenarios: ${runNames.join(', ')}
bench/README.md explains them. Without options it takes 80 minutes.`;

const known = {
  json: { type: 'boolean', default: false },
  rows: { type: 'string', default: '10000,100000,1000000' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '3' },
  'warm-up': { type: 'string', default: '10' },
  only: { type: 'string', multiple: true },
  'no-auth-baseline': { type: 'boolean', default: false },
  // The default. Scripts may still say so.
  'prepared-baseline': { type: 'boolean', default: true },
  'plain-baseline': { type: 'boolean', default: false },
  'no-memory': { type: 'boolean', default: false },
  'memory-seconds': { type: 'string', default: '60' },
  profile: { type: 'string' },
} as const;

/** What the command line asks for. A wrong option ends the process. */
export function readOptions(): Options {
  const values = options(known, USAGE);
  return {
    json: values.json,
    rows: values.rows.split(',').map(size => count('rows', size, 1000)),
    rounds: count('rounds', values.rounds, 1),
    seconds: count('seconds', values.seconds, 1),
    warmUp: count('warm-up', values['warm-up'], 1),
    only: scenariosIn(values.only ?? []),
    baselineAuth: !values['no-auth-baseline'],
    baselinePrepared: !values['plain-baseline'],
    memorySeconds: values['no-memory'] ? 0 : count('memory-seconds', values['memory-seconds'], 9),
    profile: values.profile,
  };
}

function count(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  return misused(`--${name} must be a whole number from ${least}.`, USAGE);
}

function scenariosIn(given: string[]): readonly RunName[] {
  const names = given.flatMap(text => text.split(','));
  const unknown = names.find(name => !runNames.some(known => known === name));
  if (unknown !== undefined) misused(`--only: there is no scenario ${unknown}.`, USAGE);
  return names.length > 0 ? runNames.filter(name => names.includes(name)) : runNames;
}
