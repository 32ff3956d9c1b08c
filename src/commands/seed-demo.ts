import { DEMO_EXPOSED, mayShowDemo } from '../config.ts';
import { analyse } from '../database/analyse.ts';
import { seedDemo } from '../demo/demo.ts';
import { demoRecords } from '../demo/files.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';

await runCommand(async services => {
  if (!mayShowDemo(services.config))
    throw new OperatorError(`The passwords of the demo are public. ${DEMO_EXPOSED}. Nothing was changed.`);
  if (!(await seedDemo(services)))
    throw new OperatorError(
      'This database already contains people. Demo data can be added only to an empty database. Nothing was changed.',
    );
  await analyse(statement => services.orm.em.fork().execute(statement));
  const people = await demoRecords('acessos');
  return [
    'The demo data was added. Its users and passwords:',
    ...people.filter(({ senha }) => senha).map(({ usuario, senha }) => `  ${usuario} / ${senha}`),
  ];
});
