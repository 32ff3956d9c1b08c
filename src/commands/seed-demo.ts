import { mayShowDemo } from '../config.ts';
import { demoPassword, demoPeople } from '../database/seeds/demo-people.ts';
import { seedDemo } from '../database/seeds/demo.ts';
import { OperatorError } from '../operator-error.ts';
import { runCommand } from './command.ts';

await runCommand(async services => {
  if (!mayShowDemo(services.config))
    throw new OperatorError(
      `HOST lets other machines in, and everybody knows the demo's passwords. Set HOST=127.0.0.1, or DEMO=true to show the demo to others. Nothing was changed.`,
    );
  if (!(await seedDemo(services)))
    throw new OperatorError(
      'There are people in this database already, and demo data is added to an empty one only. Nothing was changed.',
    );
  return [
    'The demo data was added. Its users and passwords:',
    ...demoPeople.map(({ usuario }) => `  ${usuario} / ${demoPassword(usuario)}`),
  ];
});
