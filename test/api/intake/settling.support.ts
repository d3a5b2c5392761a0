import { settleVersion } from '../../../activities/intake/settleApplication.js';
import type { SettleApplicationInput } from '../../../workflows/contracts/settleApplication.js';
import { asOwner } from '../../support/owner.js';

/** Settles waiting applications as the worker does, in the order in which they were sent. */
export async function settleApplications(): Promise<void> {
  const inputs = await asOwner<SettleApplicationInput>(
    `SELECT organization_id AS "organizationId", id AS "versionId", wants FROM pnm_application_versions
      WHERE wants IS NOT NULL ORDER BY id`,
  );
  for (const one of inputs) await settleVersion(one);
}
