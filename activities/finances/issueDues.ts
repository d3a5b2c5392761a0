import { inTenant } from '../../models/database/tenancy.js';
import { completeDuesRun, issueNextChapters } from '../../models/finances/dues-runs/issuePlanned.js';
import type { IssueDuesInput } from '../../workflows/contracts/issueDues.js';
import { heartbeating } from '../heartbeating.js';

/** Issues one page of a run's chapters in one transaction. @returns where the next page begins, or null after the last */
export const issueNextDues = ({
  organizationId,
  duesRunId,
  after,
}: IssueDuesInput & { after: string | null }): Promise<string | null> =>
  heartbeating(() => inTenant(organizationId, () => issueNextChapters(duesRunId, after)));

/** Ends the run. */
export const finishDues = ({ organizationId, duesRunId }: IssueDuesInput): Promise<void> =>
  inTenant(organizationId, () => completeDuesRun(duesRunId));
