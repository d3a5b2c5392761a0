/** Approves all requests within the limits: preview, confirmation, and progress of the process. */
import { inTenant } from '../../../models/database/tenancy.js';
import { requireFound, refuse } from '../../../models/errors.js';
import {
  type BulkApproval,
  previewBulkApproval,
  readBulkApproval,
  startBulkApproval,
} from '../../../models/finances/payment-plans/bulkApprove.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { by, chaptersWithin, may } from '../../http/policy.js';
import { AfterCommit, Answer, get, post, routes } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { finances } from '../fields.js';
import { planRequestPolicy } from './policy.js';
import { requireReviewer } from './planRequestAccess.js';
import { BulkApprovalJson, BulkApproveBody } from './schema.js';

const present = (approval: BulkApproval) => ({ dry_run: approval.id === null, ...approval });

/**
 * Reads a bulk approval that the actor has confirmed; administrators read all. Any other is reported as missing.
 * @throws Refusal not_found
 */
async function readVisibleBulkApproval(actor: Actor, id: string): Promise<BulkApproval> {
  const row = requireFound(await readBulkApproval(id));
  if (!may(actor, planRequestPolicy, 'read_bulk', { user_id: row.requested_by })) throw refuse.not_found();
  return row;
}

export const bulkApprovalRoutes = routes('/api/hq/dues/:organization_id/plan-requests', [
  post(
    '/bulk-approve-in-policy/',
    {
      ...finances,
      summary: 'Approve all requests within the limits',
      description:
        'A process approves them one after the other: 200 if it ends within seconds, else 202 with its progress. ' +
        'Requests are skipped, and reported as skipped, if the amount due has changed, the invoice has a plan, the first day has passed, or they are your ' +
        'own. A repeated request approves nothing twice.',
      operationId: 'acceptPlanRequestsInPolicy',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationParams,
      body: BulkApproveBody,
      response: BulkApprovalJson,
      alsoStatus: [202],
      errors: [refuse.preview_stale],
    },
    async ({ actor, body: { dry_run, preview_hash } }) => {
      const chapters = chaptersWithin(actor, planRequestPolicy, 'review');
      await requireReviewer(actor);
      if (dry_run) return new Answer(present(await previewBulkApproval(actor.userId, chapters)), { status: 200 });
      const { id, workflowId } = await startBulkApproval(actor.userId, chapters, preview_hash);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        if (workflowId) await waitForProcess(workflowId);
        const read = async () => present(requireFound(await readBulkApproval(id)));
        const answer = await inTenant(actor.organizationId, read, { readOnly: true });
        return new Answer(answer, { status: answer.status === 'approving' ? 202 : 200 });
      });
    },
  ),

  get(
    '/bulk-approvals/:id/',
    {
      ...finances,
      summary: 'Progress of a bulk approval, with a result for each request',
      operationId: 'readPlanBulkApproval',
      rule: by(planRequestPolicy, 'read_bulk'),
      params: OrganizationRowParams,
      response: BulkApprovalJson,
    },
    async ({ actor, params }) => present(await readVisibleBulkApproval(actor, params.id)),
  ),
]);
