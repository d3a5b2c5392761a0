/** Granting all that keeps to the limits: previewed, confirmed, and read while its process goes on. */
import { inTenant } from '../../../models/database/tenancy.js';
import { found, refuse } from '../../../models/errors.js';
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
import { requireReviewer } from './reach.js';
import { BulkApprovalJson, BulkApproveBody } from './schema.js';

const present = (shown: BulkApproval) => ({ dry_run: shown.id === null, ...shown });

/** Of whoever confirmed it, and of administrators; out of reach is the same as not there. */
async function reachBulk(actor: Actor, id: string): Promise<BulkApproval> {
  const row = found(await readBulkApproval(id));
  if (!may(actor, planRequestPolicy, 'read_bulk', { user_id: row.requested_by })) throw refuse.not_found();
  return row;
}

export const bulkApprovalRoutes = routes('/api/hq/dues/:organization_id/plan-requests', [
  post(
    '/bulk-approve-in-policy/',
    {
      ...finances,
      summary: 'Grant all requests that keep to the limits',
      description:
        'A process grants them one after the other: 200 when it is done within seconds, else 202 and how far it has come. ' +
        'Those whose invoice owes something else by now or is paid by instalments already, whose first day has passed, or that are your ' +
        'own are skipped, and said to be. Repeated, it grants nothing twice.',
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
        const read = async () => present(found(await readBulkApproval(id)));
        const answer = await inTenant(actor.organizationId, read, { readOnly: true });
        return new Answer(answer, { status: answer.status === 'approving' ? 202 : 200 });
      });
    },
  ),

  get(
    '/bulk-approvals/:id/',
    {
      ...finances,
      summary: 'How far the granting of many requests has come, and a result for each',
      operationId: 'readPlanBulkApproval',
      rule: by(planRequestPolicy, 'read_bulk'),
      params: OrganizationRowParams,
      response: BulkApprovalJson,
    },
    async ({ actor, params }) => present(await reachBulk(actor, params.id)),
  ),
]);
