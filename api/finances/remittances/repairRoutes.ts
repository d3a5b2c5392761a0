import { giveBackPayment } from '../../../workflows/contracts/index.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { readRemittanceChapter, readRemittance } from '../../../models/finances/remittances/readRemittance.js';
import { proposeRepair, type RepairProposal } from '../../../models/finances/remittances/repair/proposeRepair.js';
import { refundUnplaced } from '../../../models/finances/remittances/repair/refundUnplaced.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requireFound } from '../../../models/errors.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { readsAmounts, withoutAmounts } from '../amounts.js';
import { finances } from '../fields.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { presentRemittance } from './present.js';
import { authorizeRemittance, remittancePolicy } from './routes.js';
import { RefundUnplaced, RemittanceJson, RepairProposalJson } from './schema.js';

/** The reason of a change is a code, not a text that a person typed: readers who see no amounts see it. */
async function present(actor: Actor, chapter: string, proposal: RepairProposal): Promise<RepairProposal> {
  if (await readsAmounts(actor, { chapter_id: chapter })) return proposal;
  const changes = proposal.changes.map((change) => withoutAmounts(change, { reason: change.reason }));
  return withoutAmounts(proposal, { changes });
}

export const remittanceRepairRoutes = routes('/api/billing/remittances/:id', [
  get(
    '/repair-proposal/',
    {
      ...finances,
      summary: 'Proposed allocations for the money of a flagged remittance, with reasons',
      description:
        'Changes nothing. `resolve` accepts its hash. The placed and unplaced amounts add up to exactly the waiting amount.',
      rule: by(remittancePolicy, 'resolve'),
      params: RowParams,
      response: RepairProposalJson,
      errors: [remittanceErrors.remittance_not_flagged],
    },
    async ({ actor, params: { id } }) => {
      const chapter = authorizeRemittance(actor, await readRemittanceChapter(id), 'resolve');
      const proposal = await present(actor, chapter, await proposeRepair(id));
      return {
        ...proposal,
        may_refund_unplaced: may(actor, remittancePolicy, 'refund_unplaced', { chapter_id: chapter }),
      };
    },
  ),

  post(
    '/refund-unplaced/',
    {
      ...finances,
      summary: 'Refund to the charge the money that no open invoice of the chapter can take',
      description:
        'Answers with the remittance once the provider has reported the outcome, or after a short time. The rest can then be resolved as proposed.',
      operationId: 'refundUnplacedMoney',
      rule: by(remittancePolicy, 'refund_unplaced'),
      params: RowParams,
      body: RefundUnplaced,
      response: RemittanceJson,
      status: 201,
      errors: [
        remittanceErrors.remittance_not_flagged,
        remittanceErrors.remittance_in_progress,
        remittanceErrors.proposal_stale,
        remittanceErrors.nothing_unplaced,
      ],
    },
    async ({ actor, params: { id }, body: { proposal_hash, reason } }) => {
      authorizeRemittance(actor, await readRemittanceChapter(id), 'refund_unplaced');
      const resolutionId = await refundUnplaced(id, proposal_hash, reason);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        const { organizationId } = actor;
        await waitForProcess(giveBackPayment.workflowId({ organizationId, captureId: id, resolutionId }));
        const remittance = await inTenant(organizationId, () => readRemittance(id), { readOnly: true });
        return presentRemittance(actor, requireFound(remittance));
      });
    },
  ),
]);
