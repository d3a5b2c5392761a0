const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** A time as it is where the reader is; the tooltip has it in UTC. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      <span className="unbroken">{DATE.format(new Date(at))}</span>{' '}
      <span className="unbroken">{CLOCK.format(new Date(at))}</span>
    </time>
  );
}

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A time as a distance from now, for example `2 hours ago`; the tooltip has it in UTC. */
export function Since({ at }: { at: string }) {
  const distanceMs = new Date(at).getTime() - Date.now();
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? UNITS[2];
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {RELATIVE.format(Math.trunc(distanceMs / unitMs), unit)}
    </time>
  );
}
