/**
 * Lists objects, such as charges, by which a new key can prove that it opens the same provider account as the old key.
 * They are needed when the old key no longer works.
 */
import { currentOrganization, rows } from '../../database/rows.js';

/**
 * An object in the provider account: a charge, a payment page, or a page that may exist because the response to its
 * creation was lost.
 */
export type AccountProof =
  | { kind: 'charge'; id: string }
  | { kind: 'page'; id: string }
  | { kind: 'lost_page'; reference: Record<string, string>; from: Date; to: Date };

interface ProofRow {
  kind: AccountProof['kind'];
  id: string;
  invoiceId: string | null;
  donationId: string | null;
  from: Date;
  to: Date;
  underWay: boolean;
}

/** Maximum proofs per kind, newest first. */
const MAX_PROOFS_PER_KIND = 3;

/**
 * Lists the objects of this processor; the new key's account must know at least one of them. If some of its work is
 * pending, only the objects of that work are listed. Older objects may belong to another account, from a time when the
 * platform did not check the account.
 */
export async function readAccountProofs(processorId: string): Promise<AccountProof[]> {
  const opened = await rows<ProofRow>(
    `WITH attempts AS (
       SELECT *, status = 'pending' OR (checkout_keys > 0 AND checkout_closed_at IS NULL) AS under_way
         FROM payment_attempts WHERE processor_id = $1),
     opened AS (
       SELECT 'charge' AS kind, intent_id AS id, invoice_id, donation_id, id AS age, created_at AS since, created_at AS until, under_way
         FROM attempts WHERE intent_id IS NOT NULL
       UNION ALL
       SELECT 'page', checkout_session_id, invoice_id, donation_id, id, created_at, created_at, under_way
         FROM attempts WHERE checkout_session_id IS NOT NULL
       UNION ALL
       SELECT 'lost_page', id::text, invoice_id, donation_id, id, created_at, checkout_asked_at, under_way
         FROM attempts WHERE checkout_keys > 0 AND checkout_session_id IS NULL AND under_way
       UNION ALL
       SELECT 'charge', c.intent_id, c.invoice_id, c.donation_id, c.id, c.created_at, c.created_at,
              c.disposition = 'flagged' OR EXISTS (SELECT FROM capture_resolutions r
                WHERE r.organization_id = c.organization_id AND r.capture_id = c.id AND r.status = 'pending')
         FROM processor_captures c WHERE c.processor_id = $1),
     ranked AS (SELECT *, row_number() OVER (PARTITION BY kind, under_way ORDER BY age DESC) AS rank FROM opened)
     SELECT kind, id, invoice_id AS "invoiceId", donation_id AS "donationId", since - interval '10 minutes' AS "from", until + interval '20 minutes' AS "to",
            under_way AS "underWay"
       FROM ranked WHERE rank <= ${MAX_PROOFS_PER_KIND} ORDER BY kind, age DESC`,
    [processorId],
  );
  const pending = opened.filter((row) => row.underWay);
  return (pending.length > 0 ? pending : opened).map((row) => toProof(processorId, row));
}

function toProof(processorId: string, { kind, id, invoiceId, donationId, from, to }: ProofRow): AccountProof {
  if (kind !== 'lost_page') return { kind, id };
  const reference = {
    organization_id: currentOrganization(),
    processor_id: processorId,
    ...(invoiceId !== null && { invoice_id: invoiceId }),
    ...(donationId !== null && { donation_id: donationId }),
    attempt_id: id,
  };
  return { kind, reference, from, to };
}
