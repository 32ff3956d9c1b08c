import { importables, importRows } from '../../imports/import-file.ts';
import { OperatorError } from '../../errors.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import type { Row } from '../../imports/row.ts';
import type { Services } from '../../request/services.ts';
import { demoRecords } from '../files.ts';
import { dateRequests } from '../stock.ts';
import { seedDemo } from '../demo.ts';
import { activities, enrolments, teachingPlans } from './academic.ts';
import { grantAccess, seedLogins } from './access.ts';
import { accounts, courses, departments, people, studentName } from './people.ts';
import { Random } from './random.ts';
import { campusSize, LOGIN_DAYS, TERMS, type CampusSize } from './size.ts';
import {
  placesOf,
  seedBatches,
  seedInvoices,
  seedMovements,
  type Keepers,
  type Transaction,
} from './stock.ts';
import {
  companies,
  controlledCodes,
  managers,
  materials,
  minimums,
  placeCode,
  places,
  STOREROOMS,
  titles,
} from './storeroom.ts';

const SEED = 20_261_122;

/** Enrolments whose activities are imported in one transaction. */
const ENROLMENTS_AT_ONCE = 5_000;

/** The audit trail shows the name of the command in place of a request id. */
const AUTHOR = `select set_config('sii.requisicao', 'seed:campus', true)`;

/** Is called with the number of records that a step has made so far, and when the step is complete. */
type Report = (what: string, done: number, isComplete: boolean) => void;

/** What all steps work with. */
interface Plan {
  size: CampusSize;
  today: string;
  now: number;
  keepers: Keepers;
  transaction: Transaction;
  /** Imports rows. `before` rows of this kind were imported earlier. Returns how many there are now. */
  load: (name: string, cells: Cells, before?: number, isComplete?: boolean) => Promise<number>;
  report: Report;
}

type Cells = Iterable<readonly (string | number)[]> | AsyncIterable<readonly (string | number)[]>;

const THERE_ALREADY =
  'This database has a campus already, or a part of one whose creation was interrupted. A part cannot be continued: create the campus anew in an empty database, or with another DATA_DIR. Nothing was changed.';

async function* rowsOf(cells: Cells): AsyncGenerator<Row, void, void> {
  let number = 0;
  for await (const row of cells) yield { number: (number += 1), cells: row.map(String) };
}

/**
 * Adds a university to the demo: people, accounts, enrolments, teaching plans, a storeroom with its history, logins.
 * `scale` 1 means 40,000 people. Records go through the importers, and movements through the ledger. Two runs on the same
 * day make the same records. Each step is a transaction of its own. Independent parts run concurrently.
 * @throws OperatorError if the database has people who are not of the demo, such as those of an earlier campus
 */
export async function seedCampus(services: Services, scale: number, report: Report): Promise<void> {
  const { orm } = services;
  const size = campusSize(scale);
  const transaction: Transaction = work =>
    orm.em.fork().transactional(async em => {
      await em.execute(AUTHOR);
      return work(em);
    });
  await seedDemo(services);
  const known = await orm.em.fork().count(Pessoa);
  if (known !== (await demoRecords('pessoas')).length) {
    if (await orm.em.fork().count(Pessoa, { usuario: studentName(1) }))
      throw new OperatorError(THERE_ALREADY);
    throw new OperatorError(
      'This database contains people who are not of the demo. A campus can be added only to an empty database, or to the demo. Nothing was changed.',
    );
  }
  const [{ today, now, storekeeper, administrator }] = await orm.em.fork().execute<
    [Keepers & { today: string; now: number }]
  >(`select current_date::text as today, (extract(epoch from now()) * 1000)::float8 as now,
    (select id from pessoa where usuario = 'almoxarife') as storekeeper, (select id from pessoa where usuario = 'admin') as administrator`);
  const keepers = { storekeeper, administrator };
  const records = await importables();
  const load = async (name: string, cells: Cells, before = 0, isComplete = true): Promise<number> => {
    let read = 0;
    await transaction(em =>
      importRows(em, records.get(name)!, rowsOf(cells), name, {
        dryRun: false,
        progress: (rows, done) => {
          if (done === 'read') report(name, before + (read = rows), false);
        },
        idPessoa: storekeeper,
      }),
    );
    report(name, before + read, isComplete);
    return before + read;
  };

  const plan: Plan = { size, today, now, keepers, transaction, load, report };
  await seedPeople(plan, new Random(SEED));
  await Promise.all([
    seedAcademicYears(plan, new Random(SEED + 1)),
    seedStoreroom(plan, new Random(SEED + 2)),
    seedAccess(plan, new Random(SEED + 3)),
  ]);
}

async function seedPeople({ size, load }: Plan, random: Random): Promise<void> {
  await load('lotacoes', departments(size));
  await load('cursos', courses(size));
  const { all, careers } = people(random, size);
  await load('pessoas', all());
  await load('funcionarios', careers());
  await load('contas-gerenciais', accounts(random, size));
}

async function seedAcademicYears({ size, today, load }: Plan, random: Random): Promise<void> {
  const { rows, all } = enrolments(random, size, today);
  await load('vinculos-discente', rows());
  const each = Math.max(1, Math.round(size.activities / size.enrolments));
  let done = 0;
  for (let from = 0; from < all.length; from += ENROLMENTS_AT_ONCE) {
    const some = all.slice(from, from + ENROLMENTS_AT_ONCE);
    const isLast = from + ENROLMENTS_AT_ONCE >= all.length;
    done = await load('atividades-curriculo-discente', activities(random, size, some, each), done, isLast);
  }
  let [plansDone, stepsDone] = [0, 0];
  for (let before = TERMS - 1; before >= 0; before--) {
    const { plans, workflow } = teachingPlans(random, size, today, before);
    plansDone = await load('planos-ensino', plans(), plansDone, before === 0);
    stepsDone = await load('tramitacoes-plano', workflow(), stepsDone, before === 0);
  }
}

async function seedStoreroom(
  { size, today, now, keepers, transaction, load, report }: Plan,
  random: Random,
): Promise<void> {
  await load('empresas', companies(size));
  await load('locais', places(size));
  await load('responsaveis-laboratorio', managers(size, today));
  await load('codigos-pf', controlledCodes());
  await load('materiais', materials(size));
  await load('estoques-minimos', minimums(size, await titles(size)));
  const codes = Array.from({ length: size.places }, (_, i) => placeCode(i));
  const ids = await placesOf(transaction, codes);
  const [storerooms, laboratories] = [ids.slice(0, STOREROOMS), ids.slice(STOREROOMS)];
  const invoices = await seedInvoices(transaction, random, size, today, keepers);
  report('notas-fiscais', invoices.length, true);
  const batches = await seedBatches(
    transaction,
    random,
    size,
    { today, invoices, storerooms },
    keepers,
    made => report('lotes', made, made === size.batches),
  );
  await seedMovements(transaction, random, size, batches, { places: laboratories, now }, keepers, made =>
    report('movimentacoes', made, made === size.movements),
  );
  await transaction(async em => {
    // Without statistics PostgreSQL scans all movements for each request.
    await em.execute('analyze movimentacao, solicitacao_aprovacao');
    await dateRequests(em);
  });
}

async function seedAccess({ size, now, transaction, report }: Plan, random: Random): Promise<void> {
  const people = await grantAccess(transaction, made => report('acessos', made, false));
  report('acessos', people.length, true);
  await seedLogins(transaction, random, size, people, now, made => report('logins', made, false));
  report('logins', size.logins * LOGIN_DAYS, true);
}
