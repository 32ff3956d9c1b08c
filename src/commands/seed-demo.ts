import { mayShowDemo } from '../config.ts';
import { analyse } from '../database/analyse.ts';
import { seedDemo } from '../demo/demo.ts';
import { demoRecords } from '../demo/files.ts';
import { OperatorError } from '../errors.ts';
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
  await analyse(statement => services.orm.em.fork().execute(statement));
  const people = await demoRecords('acessos');
  return [
    'The demo data was added. Its users and passwords:',
    ...people.filter(({ senha }) => senha).map(({ usuario, senha }) => `  ${usuario} / ${senha}`),
  ];
});
