import type { Payer } from '../../../models/finances/credit/payer.js';
import { readCredit } from '../../../models/finances/credit/readCredit.js';
import { refundCredit, refundCreditByHand } from '../../../models/finances/credit/refundCredit.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { by } from '../../http/policy.js';
import { post, routes } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { finances } from '../fields.js';
import { afterSending } from '../refunds/afterSending.js';
import { creditPolicy } from './policy.js';
import {
  CreditParams,
  PayerQuery,
  RefundCredit,
  RefundCreditByHand,
  RefundedByHandJson,
  RefundedCreditJson,
} from './schema.js';

const { credit_not_available, credit_refund_in_progress, credit_refund_unimplemented } = financesErrors;
const common = {
  ...finances,
  rule: by(creditPolicy, 'refund'),
  params: CreditParams,
  query: PayerQuery,
  status: 201,
} as const;

/** @throws Refusal not_found, forbidden */
async function payerOf(actor: Actor, chapterId: string, member: string | undefined): Promise<Payer> {
  await authorizeInChapter(actor, creditPolicy, 'refund', chapterId);
  const payer = { chapterId, membershipId: member ?? null };
  await standing(payer);
  return payer;
}

/** @throws Refusal not_found for a payer who is not here */
async function standing(payer: Payer) {
  const { available_cents, reserved_cents } = await readCredit(payer, { page: 1, pageSize: 1 });
  return { available_cents, reserved_cents };
}

export const creditRefundRoutes = routes('/api/hq/dues/:organization_id/chapters/:chapter_id/credit/refund', [
  post(
    '/',
    {
      ...common,
      summary: 'Give unspent credit back on the charges that it came from',
      description: 'The newest credit first, one refund a charge, all reserved before the provider is asked for any.',
      operationId: 'refundCredit',
      body: RefundCredit,
      response: RefundedCreditJson,
      errors: [credit_not_available, credit_refund_in_progress, credit_refund_unimplemented],
    },
    async ({ actor, params, query, body }) => {
      const payer = await payerOf(actor, params.chapter_id.toLowerCase(), query.member);
      const reserved = await refundCredit(payer, { amountCents: body.amount_cents, reason: body.reason });
      return afterSending(actor, reserved, async (refunds) => ({ refunds, ...(await standing(payer)) }));
    },
  ),

  post(
    '/manual/',
    {
      ...common,
      summary: 'Record that credit was given back by hand',
      operationId: 'refundCreditByHand',
      body: RefundCreditByHand,
      response: RefundedByHandJson,
      errors: [credit_not_available],
    },
    async ({ actor, params, query, body: { amount_cents: amountCents, reference, note } }) => {
      const payer = await payerOf(actor, params.chapter_id.toLowerCase(), query.member);
      const entry = await refundCreditByHand(payer, { amountCents, reference, note });
      return { entry, ...(await standing(payer)) };
    },
  ),
]);
