import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';

export interface CrossingMoment {
  crossed_at: Date;
  /** By the organization's calendar. */
  day: string;
}

/** When somebody crosses. @param crossedAt left out: now. @throws Refusal validation_error for a moment ahead */
export async function crossingDay(crossedAt: string | undefined): Promise<CrossingMoment> {
  const crossed_at = crossedAt === undefined ? new Date() : new Date(crossedAt);
  const { day, ahead } = await oneRow<{ day: string; ahead: boolean }>(
    `SELECT app.local_day_of(timezone, $2::timestamptz)::text AS day, $2 > now() + interval '1 minute' AS ahead
       FROM organizations WHERE id = $1`,
    [currentOrganization(), crossed_at.toISOString()],
  );
  if (ahead) throw invalid('crossed_at', 'This moment has not come yet.');
  return { crossed_at, day };
}
