import { currentScope } from '../../database/connection.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { enqueueNoticeToPeople } from '../../identity/notices/enqueueNoticeToPeople.js';
import type { NoticeKind } from '../../identity/notices/noticeText.js';
import type { Purpose } from './OrgPaymentProcessor.js';

/**
 * For each purpose of a processor account, the SQL function that returns the people who are responsible for such
 * accounts.
 */
const RESPONSIBLE: Readonly<Record<Purpose, string>> = {
  dues: 'app.active_admins',
  foundation: 'app.active_foundation_admins',
};

type PaymentNotice = Extract<NoticeKind, `payment_${string}`>;

/** Notices that have another text for an account for gifts. */
const GIFT_NOTICES: Partial<Record<PaymentNotice, PaymentNotice>> = {
  payment_refund_failed: 'payment_gift_refund_failed',
};

/**
 * Notifies administrators of a change of a card processor or of a failed refund, except the administrator who acted.
 * For gifts, the administrators of the foundation are notified instead of the organization's.
 */
export async function notifyOtherAdmins(kind: PaymentNotice, processorId: string): Promise<void> {
  const { purpose, ...facts } = await oneRow<{ purpose: Purpose; processor: string; at: string }>(
    `SELECT purpose, label AS processor, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS at
       FROM org_payment_processors WHERE id = $1`,
    [processorId],
  );
  const admins = await rows<{ user_id: string }>(
    `SELECT user_id FROM ${RESPONSIBLE[purpose]}($1) WHERE user_id IS DISTINCT FROM $2::uuid ORDER BY user_id`,
    [currentOrganization(), currentScope().origin.userId],
  );
  await enqueueNoticeToPeople(
    (purpose === 'foundation' && GIFT_NOTICES[kind]) || kind,
    facts,
    admins.map(({ user_id }) => user_id),
  );
}
