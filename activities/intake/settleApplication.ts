import { inTenant } from '../../models/database/tenancy.js';
import { settleVersion as settle } from '../../models/intake/pnm-applications/settleVersion.js';
import type { SettleApplicationInput } from '../../workflows/contracts/settleApplication.js';

/**
 * Advances an application version as its row requires. A second run changes nothing.
 * @throws RowMissing
 */
export const settleVersion = ({ organizationId, versionId }: SettleApplicationInput): Promise<'settled' | 'waiting'> =>
  inTenant(organizationId, () => settle(versionId));
