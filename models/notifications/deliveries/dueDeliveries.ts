import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Channel } from './rules.js';

export interface DueChannel {
  organizationId: string;
  channel: Channel;
}

/**
 * SQL interval, longer than any transaction lasts in which a delivery could be held by quiet hours that are changed at
 * the same time.
 */
const RECENTLY_CHANGED = "interval '15 minutes'";

/**
 * Finds the channels of all organizations that have due deliveries which no process is sending. First releases
 * deliveries that old quiet hours still hold: a concurrent transaction created them, so the change of the quiet hours
 * could not see them.
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
