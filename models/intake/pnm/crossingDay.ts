import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';

export interface CrossingMoment {
  crossed_at: Date;
  /** Day in the organization's time zone. */
  day: string;
}

/**
 * Returns the moment and the day of a crossing.
 * @param crossedAt the requested moment; default: now
 * @throws Refusal validation_error for a moment in the future
 */
export async function crossingDay(crossedAt: string | undefined): Promise<CrossingMoment> {
  const crossed_at = crossedAt === undefined ? new Date() : new Date(crossedAt);
  const { day, is_future } = await oneRow<{ day: string; is_future: boolean }>(
    `SELECT app.local_day_of(timezone, $2::timestamptz)::text AS day, $2 > now() + interval '1 minute' AS is_future
       FROM organizations WHERE id = $1`,
    [currentOrganization(), crossed_at.toISOString()],
  );
  if (is_future) throw invalid('crossed_at', 'Must not be in the future.');
  return { crossed_at, day };
}
