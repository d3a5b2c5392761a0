/**
 * Loaded with --require into one of our processes: its clock is CLOCK_SHIFT_SECONDS off from the start, and jumps to
 * CLOCK_JUMP_SECONDS off when it gets SIGUSR2. Timers and performance.now() continue, as when an operator sets a clock.
 */
'use strict';

const RealDate = Date;
let shift = Number(process.env['CLOCK_SHIFT_SECONDS'] ?? 0) * 1000;
const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

process.on('SIGUSR2', () => {
  shift = Number(process.env['CLOCK_JUMP_SECONDS'] ?? 0) * 1000;
});
