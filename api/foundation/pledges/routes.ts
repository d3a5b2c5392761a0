import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { moment, recordId } from '../../../models/fields.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { listPledges, readCancellation } from '../../../models/foundation/pledges/listPledges.js';
import { cancelPledge, pausePledge, resumePledge } from '../../../models/foundation/pledges/movePledge.js';
import { RecurringPledge } from '../../../models/foundation/pledges/RecurringPledge.js';
import { CANCELLERS, PLEDGE_STATUSES } from '../../../models/foundation/pledges/vocabulary.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';
import { CancelBody, PauseBody } from './schema.js';

const pledgePolicy = policy('recurring pledge', { read: [foundationEditor], write: [foundationAdmin] });

const PledgeJson = rowJson(RecurringPledge);
const CancelledPledgeJson = PledgeJson.extend({
  charge_in_flight: z.boolean().meta({
    description: 'A charge may still succeed. Its money is then returned to the donor.',
  }),
}).meta({ id: 'CancelledPledge' });

const CancellationJson = z
  .object({
    cancelled_at: moment.nullable(),
    cancelled_by: z.enum(CANCELLERS).nullable(),
    last_charged_at: moment
      .nullable()
      .meta({ description: 'When the last charge was recorded, by the clock of `cancelled_at`.' }),
    charge_in_flight: z.boolean(),
    refunded_at: moment.nullable().meta({
      description: 'When the money of a charge went back that succeeded after the cancellation; null: there was none.',
    }),
  })
  .meta({ id: 'PledgeCancellation' });

const PledgeFilters = z.object({
  ...pageQuery,
  status: z.enum(PLEDGE_STATUSES).optional(),
  donor: recordId.optional(),
  campaign: recordId.optional(),
});

const reads = { ...foundation, rule: by(pledgePolicy, 'read') };
const moves = {
  ...foundation,
  rule: by(pledgePolicy, 'write'),
  params: RowParams,
  errors: [foundationErrors.invalid_pledge_transition],
};

export const pledgeRoutes = routes('/api/foundation/pledges', [
  get(
    '/',
    {
      ...reads,
      summary: 'List pledges, newest first',
      operationId: 'listPledges',
      query: PledgeFilters,
      response: pageOf(PledgeJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, pledgePolicy, 'read');
      return presentPage(await listPledges(query, pageRequest(query)), query, request, (pledge) => pledge);
    },
  ),

  get(
    '/:id/',
    { ...reads, summary: 'Get a pledge', operationId: 'getPledge', params: RowParams, response: PledgeJson },
    ({ actor, params }) => {
      authorize(actor, pledgePolicy, 'read');
      return readRow(RecurringPledge, params.id);
    },
  ),

  get(
    '/:id/cancellation/',
    {
      ...reads,
      summary: 'Proof that a cancelled pledge was not charged',
      operationId: 'getPledgeCancellation',
      params: RowParams,
      response: CancellationJson,
    },
    async ({ actor, params }) => {
      authorize(actor, pledgePolicy, 'read');
      const { cancelled_at, last_charged_at, refunded_at, ...proof } = await readCancellation(params.id);
      const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
      return {
        ...proof,
        cancelled_at: iso(cancelled_at),
        last_charged_at: iso(last_charged_at),
        refunded_at: iso(refunded_at),
      };
    },
  ),

  post(
    '/:id/pause/',
    {
      ...moves,
      summary: 'Pause a pledge',
      description: 'Nothing is charged until it is resumed. An open charge is withdrawn. The donor is told by mail.',
      operationId: 'pausePledge',
      body: PauseBody,
      response: PledgeJson,
    },
    async ({ actor, params, body }) => {
      authorize(actor, pledgePolicy, 'write');
      await pausePledge(params.id, { resumeOn: body.resume_on, by: 'admin' });
      return readRow(RecurringPledge, params.id);
    },
  ),

  post(
    '/:id/resume/',
    {
      ...moves,
      summary: 'Resume a paused pledge',
      description: 'It is charged from the next period on that is due in the future. The donor is told by mail.',
      operationId: 'resumePledge',
      response: PledgeJson,
    },
    async ({ actor, params }) => {
      authorize(actor, pledgePolicy, 'write');
      await resumePledge(params.id, { by: 'admin' });
      return readRow(RecurringPledge, params.id);
    },
  ),

  post(
    '/:id/cancel/',
    {
      ...moves,
      summary: 'Cancel a pledge for good',
      description:
        'A charge that is not confirmed yet is withdrawn and takes nothing. With `charge_in_flight`, a charge may still ' +
        'succeed; its money is then returned. The provider deletes the card. The donor is told by mail.',
      operationId: 'cancelPledge',
      body: CancelBody,
      response: CancelledPledgeJson,
    },
    async ({ actor, params, body }) => {
      authorize(actor, pledgePolicy, 'write');
      const cancelled = await cancelPledge(params.id, { by: 'admin', reason: body.reason });
      return { ...(await readRow(RecurringPledge, params.id)), ...cancelled };
    },
  ),
]);
