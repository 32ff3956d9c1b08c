import fc from 'fast-check';

/** How many times as many cases as usual. */
export const times = Number(process.env['FUZZ_RUNS'] ?? 1);
/** One seed for every run, so that a failure comes again; another by the variable `FC_SEED`. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

/** Settings of a property that usually has this many cases. A failure tells its seed and its smallest request. */
export const fuzzing = (cases: number): fc.Parameters<unknown> => ({ seed, numRuns: cases * times });
