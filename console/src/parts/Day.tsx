const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the organization, for example a due date. It has no time, and is the same everywhere. */
export const Day = ({ on }: { on: string }) => (
  <time className="unbroken" dateTime={on}>
    {FORMAT.format(new Date(on))}
  </time>
);
