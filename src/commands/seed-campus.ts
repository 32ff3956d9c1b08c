import { DEMO_EXPOSED, mayShowDemo } from '../config.ts';
import { analyse } from '../database/analyse.ts';
import { CAMPUS_PASSWORD } from '../demo/campus/access.ts';
import { seedCampus } from '../demo/campus/campus.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';
import { options } from './options.ts';

const USAGE = 'Usage: npm run seed:campus -- [--scale <from 0.001 to 1>]';

function readScale(): number {
  const scale = Number(options({ scale: { type: 'string', default: '1' } }, USAGE).scale);
  if (scale >= 0.001 && scale <= 1) return scale;
  throw new OperatorError(USAGE);
}

await runCommand(
  async (services, scale) => {
    if (!mayShowDemo(services.config))
      throw new OperatorError(
        `The passwords of the demo and of the campus are public. ${DEMO_EXPOSED}. Nothing was changed.`,
      );
    const begin = performance.now();
    const secondsSince = () => Math.round((performance.now() - begin) / 1000);
    const made: string[] = [];
    await seedCampus(services, scale, (what, done, isComplete) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done}`.padEnd(50));
      if (!isComplete) return;
      const said = `${what}: ${done}, ${secondsSince()} s after the start`;
      made.push(`  ${said}`);
      process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${said}`.padEnd(50) + '\n');
    });
    await analyse(statement => services.orm.em.fork().execute(statement));
    return [
      `A university at scale ${scale} was added to the demo in ${secondsSince()} s:`,
      ...made,
      `Its people log in as a000001 … (students), d000001 … (teachers) and t000001 … (technicians), all with ${CAMPUS_PASSWORD}.`,
    ];
  },
  { embedded: true, read: readScale },
);
