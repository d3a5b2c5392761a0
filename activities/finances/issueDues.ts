import { inTenant } from '../../models/database/tenancy.js';
import { cancelDuesRun } from '../../models/finances/dues-runs/cancelDuesRun.js';
import { completeDuesRun, issueNextChapters } from '../../models/finances/dues-runs/issuePlanned.js';
import type { RunStatus } from '../../models/finances/dues-runs/DuesRun.js';
import type { IssueDuesInput } from '../../workflows/contracts/issueDues.js';

/**
 * Issues the invoices of one batch of chapters in one transaction.
 * @returns the cursor of the next batch; null after the last
 */
export const issueNextDues = ({
  organizationId,
  duesRunId,
  after,
}: IssueDuesInput & { after: string | null }): Promise<string | null> =>
  inTenant(organizationId, () => issueNextChapters(duesRunId, after));

/**
 * Completes the run.
 * @returns its final status; the run may have been cancelled, or stopped because the person who confirmed it has lost
 * the right to issue dues
 */
export const finishDues = ({ organizationId, duesRunId }: IssueDuesInput): Promise<RunStatus> =>
  inTenant(organizationId, () => completeDuesRun(duesRunId));

/** Closes a cancelled run. Invoices already issued stay. */
export const cancelDues = ({ organizationId, duesRunId }: IssueDuesInput): Promise<void> =>
  inTenant(organizationId, () => cancelDuesRun(duesRunId));
