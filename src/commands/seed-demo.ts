import { analyse } from '../database/analyse.ts';
import { demoPassword, demoPeople } from '../database/seeds/demo-people.ts';
import { seedDemo } from '../database/seeds/demo.ts';
import { OperatorError } from '../operator-error.ts';
import { runCommand } from './command.ts';

await runCommand(async services => {
  if (!(await seedDemo(services)))
    throw new OperatorError(
      'There are people in this database already, and demo data is added to an empty one only. Nothing was changed.',
    );
  await analyse(statement => services.orm.em.fork().execute(statement));
  return [
    'The demo data was added. Its users and passwords:',
    ...demoPeople.map(({ usuario }) => `  ${usuario} / ${demoPassword(usuario)}`),
  ];
});
