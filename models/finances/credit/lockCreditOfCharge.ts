import { currentOrganization, rows } from '../../database/rows.js';
import { lockCredit, type Payer } from './payer.js';

/** Holds the credit of everybody whose payments a charge made, in one order for everybody. The charge and its invoices are held. */
export async function lockCreditOfCharge(intentId: string): Promise<void> {
  const payers = await rows<Payer>(
    `SELECT DISTINCT i.chapter_id AS "chapterId", i.membership_id AS "membershipId"
       FROM payment_records p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
      WHERE p.organization_id = $1 AND p.intent_id = $2`,
    [currentOrganization(), intentId],
  );
  const inOrder = payers.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const payer of inOrder) await lockCredit(payer);
}

const nameOf = ({ chapterId, membershipId }: Payer): string => `${chapterId} ${membershipId}`;
