import type { Payer } from '../../../models/finances/credit/payer.js';
import { readCredit } from '../../../models/finances/credit/readCredit.js';
import { refundCredit, refundCreditByHand } from '../../../models/finances/credit/refundCredit.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { by } from '../../http/policy.js';
import { post, routes } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { finances } from '../fields.js';
import { answerWithRefunds } from '../refunds/answerWithRefunds.js';
import { creditPolicy } from './routes.js';
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

/** Authorizes the actor and returns the payer. @throws Refusal not_found, forbidden */
async function payerOf(actor: Actor, chapterId: string, member: string | undefined): Promise<Payer> {
  await authorizeInChapter(actor, creditPolicy, 'refund', chapterId);
  const payer = { chapterId, membershipId: member ?? null };
  await readBalances(payer);
  return payer;
}

/** Reads the available and reserved credit. @throws Refusal not_found for an unknown payer */
async function readBalances(payer: Payer) {
  const { available_cents, reserved_cents } = await readCredit(payer, { page: 1, pageSize: 1 });
  return { available_cents, reserved_cents };
}

export const creditRefundRoutes = routes('/api/hq/dues/:organization_id/chapters/:chapter_id/credit/refund', [
  post(
    '/',
    {
      ...common,
      summary: 'Refund unspent credit to the charges that it came from',
      description:
        'The newest credit first, with one refund for each charge. All refunds are reserved before the provider is called.',
      operationId: 'refundCredit',
      body: RefundCredit,
      response: RefundedCreditJson,
      errors: [credit_not_available, credit_refund_in_progress, credit_refund_unimplemented],
    },
    async ({ actor, params, query, body }) => {
      const payer = await payerOf(actor, params.chapter_id.toLowerCase(), query.member);
      const reserved = await refundCredit(payer, { amountCents: body.amount_cents, reason: body.reason });
      return answerWithRefunds(actor, reserved, async (refunds) => ({ refunds, ...(await readBalances(payer)) }));
    },
  ),

  post(
    '/manual/',
    {
      ...common,
      summary: 'Record a manual refund of credit',
      operationId: 'refundCreditByHand',
      body: RefundCreditByHand,
      response: RefundedByHandJson,
      errors: [credit_not_available],
    },
    async ({ actor, params, query, body: { amount_cents: amountCents, reference, note } }) => {
      const payer = await payerOf(actor, params.chapter_id.toLowerCase(), query.member);
      const entry = await refundCreditByHand(payer, { amountCents, reference, note });
      return { entry, ...(await readBalances(payer)) };
    },
  ),
]);
