import fc from 'fast-check';

/** Factor for the number of cases. */
export const times = Number(process.env['FUZZ_RUNS'] ?? 1);
/** One seed for every run, so that a failure can be repeated; the variable `FC_SEED` sets another. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

/** Settings of a property with this number of cases. A failure reports its seed and its smallest request. */
export const fuzzing = (cases: number): fc.Parameters<unknown> => ({ seed, numRuns: cases * times });
