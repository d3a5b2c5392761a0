import { rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import type { Channel } from './rules.js';

export interface DueChannel {
  organizationId: string;
  channel: Channel;
}

/** The channels in which something is due that nobody carries out, of all organizations. */
export const dueDeliveries = (): Promise<DueChannel[]> =>
  inPlatform(
    () =>
      rows<DueChannel>(
        'SELECT organization_id AS "organizationId", channel FROM app.due_deliveries() ORDER BY organization_id, channel',
      ),
    { readOnly: true },
  );
