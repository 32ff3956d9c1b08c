/** Loaded before a program (`node --import`): its clock is CLOCK_SHIFT_MS ahead. */
const shift = Number(process.env['CLOCK_SHIFT_MS']);
const RealDate = globalThis.Date;
const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
