import { z } from 'zod';

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

const inUtc = z.iso
  .datetime({ offset: true, error: 'Must be a moment with an offset.' })
  .refine((text) => {
    const at = Date.parse(text);
    return at >= EARLIEST && at <= LATEST;
  }, 'Must be in the years 1 to 9999 of UTC.')
  .transform((text) => {
    // A time-zone offset does not change the fraction of a second, so the fraction is kept as it is.
    const fraction = /\.\d{1,6}/.exec(text)?.[0] ?? '';
    return `${new Date(text).toISOString().slice(0, 19)}${fraction}Z`;
  });

/** An optional query parameter: a point in time with its offset, in the years 1 to 9999 UTC. */
export const instant = (description: string, example: string) =>
  inUtc.optional().meta({ description, example, override: { type: 'string', format: 'date-time' } });
