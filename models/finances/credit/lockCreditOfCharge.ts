import { currentOrganization, rows } from '../../database/rows.js';
import { lockCredits, type Payer } from './payer.js';

/**
 * Locks the credit that came from the payments of a charge: that of each payer, and that of every membership to which
 * such credit has moved. It locks in the order that all transactions use. The caller has locked the charge and its
 * invoices.
 */
export async function lockCreditOfCharge(intentId: string): Promise<void> {
  await lockCredits(
    await rows<Payer>(
      `WITH payments AS (SELECT id, invoice_id FROM payment_records WHERE organization_id = $1 AND intent_id = $2)
       SELECT i.chapter_id AS "chapterId", i.membership_id AS "membershipId"
         FROM payments p JOIN chapter_invoices i ON i.organization_id = $1 AND i.id = p.invoice_id
       UNION
       SELECT c.chapter_id, c.membership_id
         FROM payments p JOIN chapter_account_credits c ON c.organization_id = $1 AND c.payment_record_id = p.id`,
      [currentOrganization(), intentId],
    ),
  );
}
