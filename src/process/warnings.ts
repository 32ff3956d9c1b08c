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

/** What an operator may want to change at the database server. */
export function warningsOf({ lossySettings, mayOpen, rivals }: ServerLimits, config: Config): Warning[] {
  const warnings: Warning[] = [];
  if (lossySettings.length > 0)
    warnings.push({
      details: { settings: lossySettings },
      message: 'the database may lose committed writes: these settings are off',
    });
  const mayNeed = config.WORKERS * (config.DATABASE_POOL + config.EXPORT_POOL + OTHERS);
  if (mayOpen < mayNeed)
    warnings.push({
      details: { mayOpen, mayNeed },
      message:
        'the database lets the service open fewer connections than it may need: raise max_connections or the limit of the role or database, or lower DATABASE_POOL',
    });
  if (rivals.length > 0) warnings.push({ details: { rivals }, message: RIVALS });
  return warnings;
}
