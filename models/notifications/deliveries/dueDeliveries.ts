import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Channel } from './rules.js';

export interface DueChannel {
  organizationId: string;
  channel: Channel;
}

/**
 * SQL interval that is longer than any transaction that creates deliveries. If quiet hours change during such a
 * transaction, its deliveries may still be held by the old hours.
 */
const RECENTLY_CHANGED = "interval '15 minutes'";

/**
 * Finds the channels of all organizations that have due deliveries which no process is sending. First releases
 * deliveries that are still held by quiet hours that have been changed: a concurrent transaction created these
 * deliveries, so the change could not see them.
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
