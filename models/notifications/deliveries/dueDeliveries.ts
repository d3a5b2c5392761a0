import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Channel } from './rules.js';

export interface DueChannel {
  organizationId: string;
  channel: Channel;
}

/** Longer than any transaction that holds something for somebody by quiet hours which they change meanwhile. */
const CHANGED_LATELY = "interval '15 minutes'";

/**
 * The channels in which something is due that nobody carries out, of all organizations. What was held by quiet hours that were
 * changed at the same moment was not there to be decided anew with the others: it is now.
 */
export const dueDeliveries = (): Promise<DueChannel[]> =>
  inPlatform(async () => {
    await rows(
      `SELECT app.release_held(user_id) FROM user_quiet_hours WHERE updated_at > now() - ${CHANGED_LATELY} ORDER BY user_id`,
    );
    return rows<DueChannel>(
      'SELECT organization_id AS "organizationId", channel FROM app.due_deliveries() ORDER BY organization_id, channel',
    );
  });
