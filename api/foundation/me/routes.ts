/** The own gifts, receipts and pledges of a member whose account is linked to a donor. */
import { z } from 'zod';
import type { Actor } from '../../../models/identity/Actor.js';
import { refuse } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { pledgeLink } from '../../../models/foundation/pledges/links.js';
import { changePledgeAmount } from '../../../models/foundation/pledges/changeAmount.js';
import { cancelPledge, pausePledge, resumePledge } from '../../../models/foundation/pledges/movePledge.js';
import { openPeriodPage } from '../../../models/foundation/pledges/openPeriodPage.js';
import { changeOwnDonors, listOwnDonors } from '../../../models/foundation/portal/ownDonors.js';
import {
  listOwnGifts,
  listOwnPledges,
  listOwnReceipts,
  readOwnPledge,
  readOwnReceipt,
} from '../../../models/foundation/portal/ownRecords.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { AfterCommit, get, patch, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';
import { CancelBody, PauseBody } from '../pledges/schema.js';
import { awaitGiftPage } from '../public/giving.js';
import { GivenGiftJson } from '../public/schema.js';
import { sendReceiptPdf } from '../receipts/sendReceiptPdf.js';
import {
  CancelledOwnPledgeJson,
  OwnDonorEdit,
  OwnDonorJson,
  OwnGiftJson,
  OwnPledgeEdit,
  OwnPledgeJson,
  OwnReceiptJson,
  presentOwnPledge,
  presentOwnReceipt,
} from './schema.js';

/** Each operation reads and changes only rows of the donors that are linked to the actor's account. */
const ownPolicy = policy('own donor', { read: [anyone], write: [anyone] });

const reads = { ...foundation, impersonation: 'closed', rule: by(ownPolicy, 'read') } as const;
const writes = { ...foundation, impersonation: 'closed', rule: by(ownPolicy, 'write') } as const;
const moves = { ...writes, params: RowParams, errors: [foundationErrors.invalid_pledge_transition] };

/** Requires a pledge of the actor. @throws Refusal not_found */
async function requireOwn(actor: Actor, pledgeId: string): Promise<void> {
  authorize(actor, ownPolicy, 'write');
  await readOwnPledge({ userId: actor.userId }, pledgeId);
}

const readOwn = async (actor: Actor, pledgeId: string) =>
  presentOwnPledge(await readOwnPledge({ userId: actor.userId }, pledgeId));

export const ownGivingRoutes = routes('/api/foundation/me', [
  get(
    '/',
    {
      ...reads,
      summary: 'List the donors that are linked to your account',
      description: 'One for each address with which you gave.',
      operationId: 'listOwnDonors',
      response: z.array(OwnDonorJson),
    },
    ({ actor }) => {
      authorize(actor, ownPolicy, 'read');
      return listOwnDonors(actor.userId);
    },
  ),

  patch(
    '/',
    {
      ...writes,
      summary: 'Change your name, and whether your future gifts are anonymous',
      operationId: 'changeOwnDonors',
      body: OwnDonorEdit,
      response: z.array(OwnDonorJson),
      errors: [refuse.not_found, foundationErrors.donor_name_corrected],
    },
    async ({ actor, body }) => {
      authorize(actor, ownPolicy, 'write');
      await changeOwnDonors(actor.userId, body);
      return listOwnDonors(actor.userId);
    },
  ),

  get(
    '/donations/',
    {
      ...reads,
      summary: 'List your own gifts, newest first',
      operationId: 'listOwnGifts',
      query: z.object(pageQuery),
      response: pageOf(OwnGiftJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, ownPolicy, 'read');
      const gifts = await listOwnGifts({ userId: actor.userId }, pageRequest(query));
      return presentPage(gifts, query, request, (gift) => gift);
    },
  ),

  get(
    '/receipts/',
    {
      ...reads,
      summary: 'List your own valid receipts, newest first',
      operationId: 'listOwnReceipts',
      query: z.object(pageQuery),
      response: pageOf(OwnReceiptJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, ownPolicy, 'read');
      const receipts = await listOwnReceipts({ userId: actor.userId }, pageRequest(query));
      return presentPage(receipts, query, request, presentOwnReceipt);
    },
  ),

  get(
    '/receipts/:id/pdf/',
    {
      ...reads,
      summary: 'Get a valid receipt of your own as a PDF',
      operationId: 'getOwnReceiptPdf',
      params: RowParams,
      status: 200,
      textResponse: 'application/pdf',
    },
    async ({ actor, params }) => {
      authorize(actor, ownPolicy, 'read');
      const receipt = await readOwnReceipt({ userId: actor.userId }, params.id);
      return new AfterCommit(() => sendReceiptPdf(receipt));
    },
  ),

  get(
    '/pledges/',
    {
      ...reads,
      summary: 'List your own pledges, newest first',
      operationId: 'listOwnPledges',
      response: z.array(OwnPledgeJson),
    },
    async ({ actor }) => {
      authorize(actor, ownPolicy, 'read');
      return (await listOwnPledges({ userId: actor.userId })).map(presentOwnPledge);
    },
  ),

  patch(
    '/pledges/:id/',
    {
      ...moves,
      summary: 'Change the amount of your own pledge from the next period on',
      description: 'A gift that waits for a payment keeps its amount. Exactly this amount is charged.',
      operationId: 'changeOwnPledge',
      body: OwnPledgeEdit,
      response: OwnPledgeJson,
    },
    async ({ actor, params, body }) => {
      await requireOwn(actor, params.id);
      await changePledgeAmount(params.id, body.amount_cents);
      return readOwn(actor, params.id);
    },
  ),

  post(
    '/pledges/:id/pause/',
    {
      ...moves,
      summary: 'Pause your own pledge',
      operationId: 'pauseOwnPledge',
      body: PauseBody,
      response: OwnPledgeJson,
    },
    async ({ actor, params, body }) => {
      await requireOwn(actor, params.id);
      await pausePledge(params.id, { resumeOn: body.resume_on });
      return readOwn(actor, params.id);
    },
  ),

  post(
    '/pledges/:id/resume/',
    { ...moves, summary: 'Resume your own pledge', operationId: 'resumeOwnPledge', response: OwnPledgeJson },
    async ({ actor, params }) => {
      await requireOwn(actor, params.id);
      await resumePledge(params.id);
      return readOwn(actor, params.id);
    },
  ),

  post(
    '/pledges/:id/cancel/',
    {
      ...moves,
      summary: 'Cancel your own pledge for good',
      operationId: 'cancelOwnPledge',
      body: CancelBody,
      response: CancelledOwnPledgeJson,
    },
    async ({ actor, params, body }) => {
      await requireOwn(actor, params.id);
      const cancelled = await cancelPledge(params.id, { by: 'donor', reason: body.reason });
      return { ...(await readOwn(actor, params.id)), ...cancelled };
    },
  ),

  post(
    '/pledges/:id/card/',
    {
      ...moves,
      summary: 'Open a payment page for the open period of your own pledge',
      description:
        'After a decline. The provider keeps the card that is entered there. While the page is open, the kept card is not charged.',
      operationId: 'payOwnPledge',
      response: GivenGiftJson,
      status: 201,
      errors: [
        refuse.unavailable,
        foundationErrors.invalid_pledge_transition,
        foundationErrors.gift_being_charged,
        foundationErrors.payment_page_refused,
      ],
    },
    async ({ actor, params }) => {
      await requireOwn(actor, params.id);
      const donationId = await openPeriodPage(params.id, pledgeLink('pay', params.id));
      return new AfterCommit((dispatched) => awaitGiftPage(actor.organizationId, donationId, dispatched));
    },
  ),
]);
