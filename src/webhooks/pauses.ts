const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Pauses after failed attempts, in seconds. Together they last three days. */
const PAUSES = [
  5,
  30,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
];

/** Random part of a pause. It spreads deliveries that failed at the same time. */
const SPREAD = 0.1;

/** The longest pauses that there can be, in seconds, in the order of `PAUSES`. */
export const LONGEST_PAUSES: readonly number[] = PAUSES.map(pause => Math.ceil(pause * (1 + SPREAD)));

/** Seconds to wait after this many failed attempts; undefined after three days. */
export const pauseAfter = (tries: number): number | undefined => {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? undefined : pause * (1 + Math.random() * SPREAD);
};
