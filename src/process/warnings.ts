import type { Config } from '../config.ts';
import type { ServerLimits } from '../database/check.ts';
import { RIVALS } from '../database/writability.ts';

/** An entry of the log, for the operator. */
export interface Warning {
  details: object;
  message: string;
}

/** Connections of a process apart from its pools: for an import, for changes and for news. */
const OTHERS = 3;

/** Milliseconds that a request may take beside its longest statement. */
const BESIDE_STATEMENT = 5_000;

/** What an operator may want to change at the database server, or in the settings. */
export function warningsOf(
  { lossySettings, outdatedCollations, mayOpen, rivals }: ServerLimits,
  config: Config,
): Warning[] {
  const warnings: Warning[] = [];
  if (lossySettings.length > 0)
    warnings.push({
      details: { settings: lossySettings },
      message: 'the database may lose committed writes: these settings are off',
    });
  if (outdatedCollations.length > 0)
    warnings.push({
      details: { outdated: outdatedCollations },
      message:
        'the order of texts has changed under the indexes, so searches may miss records and duplicates may be stored: as the owner, run reindex database, then alter … refresh version for each (docs/operations.md, "Database")',
    });
  const mayNeed = config.WORKERS * (config.DATABASE_POOL + config.EXPORT_POOL + OTHERS);
  if (mayOpen < mayNeed)
    warnings.push({
      details: { mayOpen, mayNeed },
      message:
        'the database lets the service open fewer connections than it may need: raise max_connections or the limit of the role or database, or lower DATABASE_POOL',
    });
  if (config.SHUTDOWN_SECONDS * 1_000 <= config.STATEMENT_TIMEOUT_MS + BESIDE_STATEMENT)
    warnings.push({
      details: {
        SHUTDOWN_SECONDS: config.SHUTDOWN_SECONDS,
        STATEMENT_TIMEOUT_MS: config.STATEMENT_TIMEOUT_MS,
      },
      message:
        'a stop may cut off requests that could still finish: raise SHUTDOWN_SECONDS above STATEMENT_TIMEOUT_MS + 5 s, or lower STATEMENT_TIMEOUT_MS',
    });
  if (rivals.length > 0) warnings.push({ details: { rivals }, message: RIVALS });
  return warnings;
}
