import { invalid, refuse } from '../../../models/errors.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { readPaymentConfig } from '../../../models/finances/remittances/readPaymentConfig.js';
import {
  readRemittanceChapter,
  listRemittances,
  readRemittance,
  type RemittanceDetail,
} from '../../../models/finances/remittances/readRemittance.js';
import { resolveAsProposed } from '../../../models/finances/remittances/repair/resolveAsProposed.js';
import { resolveRemittance } from '../../../models/finances/remittances/resolveRemittance.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, chaptersWithin, may, nationalAdmin, officerOfChapter, policy } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { answerAttempt } from './outcome.js';
import { presentRemittance } from './present.js';
import { toAllocations, toCapturedAllocations } from './allocations.js';
import {
  CreateRemittance,
  PaymentConfig,
  PayRemittance,
  RemittanceFilters,
  RemittanceJson,
  RemittanceSummary,
  ResolveRemittance,
} from './schema.js';
import { RowParams } from '../../http/params.js';
import { readsAmountsOf } from '../amounts.js';

/** Officers act for their own chapter; administrators for all. */
export const remittancePolicy = policy('remittance', {
  read: [nationalAdmin, officerOfChapter],
  create: [nationalAdmin, officerOfChapter],
  pay: [nationalAdmin, officerOfChapter],
  resolve: [nationalAdmin, officerOfChapter],
  refund_unplaced: [nationalAdmin],
});

const tags = ['finances'];

type Action = 'read' | 'pay' | 'resolve' | 'refund_unplaced';

/**
 * Requires that an actor may perform an action on a remittance of this chapter. @returns the chapter
 * @throws Refusal not_found for an unknown remittance and for actors who may not read it; forbidden
 */
export function authorizeRemittance(actor: Actor, chapter_id: string | null, action: Action): string {
  if (!chapter_id || !may(actor, remittancePolicy, 'read', { chapter_id })) throw refuse.not_found();
  authorize(actor, remittancePolicy, action, { chapter_id });
  return chapter_id;
}

/** Reads a remittance on which the actor may perform the action. @throws Refusal not_found, forbidden */
async function readAuthorized(actor: Actor, id: string, action: Action): Promise<RemittanceDetail> {
  const remittance = await readRemittance(id);
  authorizeRemittance(actor, remittance?.chapter ?? null, action);
  return remittance as RemittanceDetail;
}

export const remittanceRoutes = routes('/api/billing/remittances', [
  get(
    '/',
    {
      summary: "List a chapter's remittances",
      rule: by(remittancePolicy, 'read'),
      access: 'tenant',
      tags,
      query: RemittanceFilters,
      response: pageOf(RemittanceSummary),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, remittancePolicy, 'read');
      const { chapter, status, ordering: orderBy } = query;
      if (/total_cents/.test(orderBy) && !(await readsAmountsOf(actor, chapters))) {
        throw invalid('ordering', 'You do not see amounts here, so you cannot sort by them.');
      }
      const page = await listRemittances({ chapters, chapter, status, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => presentRemittance(actor, row));
    },
  ),

  post(
    '/',
    {
      summary: 'Create a draft from member invoices',
      rule: by(remittancePolicy, 'create'),
      access: 'tenant',
      tags,
      body: CreateRemittance,
      response: RemittanceJson,
      status: 201,
    },
    async ({ actor, body }) => {
      if (!(await chapterExists(body.chapter))) throw refuse.not_found('There is no such chapter.');
      authorize(actor, remittancePolicy, 'create', { chapter_id: body.chapter });
      const id = await createRemittance(
        body.chapter,
        await toAllocations(actor, body.chapter, body.allocations),
        actor.userId,
      );
      return presentRemittance(actor, await readAuthorized(actor, id, 'read'));
    },
  ),

  get(
    '/:id/',
    {
      summary: 'A remittance with its allocations and attempts',
      rule: by(remittancePolicy, 'read'),
      access: 'tenant',
      tags,
      params: RowParams,
      response: RemittanceJson,
    },
    async ({ actor, params }) => presentRemittance(actor, await readAuthorized(actor, params.id, 'read')),
  ),

  get(
    '/:id/payment-config/',
    {
      summary: "Settings for the gateway's hosted form",
      rule: by(remittancePolicy, 'pay'),
      access: 'tenant',
      tags,
      params: RowParams,
      response: PaymentConfig,
      errors: [remittanceErrors.payment_processor_required, remittanceErrors.remittance_already_settled],
    },
    async ({ actor, params }) => {
      const remittance = presentRemittance(actor, await readAuthorized(actor, params.id, 'pay'));
      if (remittance.status === 'settled') throw remittanceErrors.remittance_already_settled();
      if (remittance.status === 'needs_reconciliation') throw remittanceErrors.remittance_needs_reconciliation();
      return readPaymentConfig(remittance);
    },
  ),

  post(
    '/:id/pay/',
    {
      summary: 'Charge a remittance once',
      rule: by(remittancePolicy, 'pay'),
      access: 'tenant',
      tags,
      params: RowParams,
      body: PayRemittance,
      response: RemittanceJson,
      errors: Object.values(remittanceErrors),
    },
    async ({ actor, params, body }) => {
      authorizeRemittance(actor, await readRemittanceChapter(params.id), 'pay');
      const { attemptId, workflowId } = await beginPayment(params.id, body.payment_method, actor.userId);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        await waitForProcess(workflowId);
        return answerAttempt(actor, params.id, attemptId);
      });
    },
  ),

  post(
    '/:id/resolve/',
    {
      summary: 'Allocate captured money to invoices',
      rule: by(remittancePolicy, 'resolve'),
      access: 'tenant',
      tags,
      params: RowParams,
      body: ResolveRemittance,
      response: RemittanceJson,
      errors: [
        remittanceErrors.remittance_not_flagged,
        remittanceErrors.remittance_in_progress,
        remittanceErrors.proposal_stale,
        remittanceErrors.money_unplaced,
      ],
    },
    async ({ actor, params, body }) => {
      const chapter = authorizeRemittance(actor, await readRemittanceChapter(params.id), 'resolve');
      const { allocations, proposal_hash, resolution_note } = body;
      if (proposal_hash) await resolveAsProposed(params.id, proposal_hash, resolution_note, actor.userId);
      else
        await resolveRemittance(
          params.id,
          await toCapturedAllocations(actor, chapter, allocations ?? []),
          resolution_note,
          actor.userId,
        );
      return presentRemittance(actor, await readAuthorized(actor, params.id, 'read'));
    },
  ),
]);
