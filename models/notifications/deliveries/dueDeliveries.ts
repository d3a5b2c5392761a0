import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Channel } from './rules.js';

export interface DueChannel {
  organizationId: string;
  channel: Channel;
}

/**
 * SQL interval: for this long after a person's quiet hours change, their held deliveries are checked again. A
 * transaction that was open during the change may have held deliveries by the old hours; the interval is longer than
 * any such transaction.
 */
const RECENTLY_CHANGED = "interval '15 minutes'";

/**
 * Finds the channels of all organizations that have due deliveries which no process is sending. First releases
 * deliveries that are still held by quiet hours that have changed since. The change could not release them itself,
 * because the transaction that created them was still open.
 */
export const dueDeliveries = (): Promise<DueChannel[]> =>
  inPlatform(async () => {
    await rows(
      `SELECT app.release_held(user_id) FROM user_quiet_hours WHERE updated_at > now() - ${RECENTLY_CHANGED} ORDER BY user_id`,
    );
    return rows<DueChannel>(
      'SELECT organization_id AS "organizationId", channel FROM app.due_deliveries() ORDER BY organization_id, channel',
    );
  });
