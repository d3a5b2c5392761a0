/** Checks of hosted pages: the platform must discover every payment by asking the gateway, with or without an event. */
import type { Books } from '../books.js';
import type { Gateway, Movement } from '../gateway.js';
import { type Load, secretKeysOf, type UnknownPage } from '../load/load.js';
import type { Finding } from './finding.js';

/** SQL for attempts whose page is open and not paid yet. */
export const OPEN_PAGES = `payment_attempts WHERE status = 'pending' AND has_page AND closing_since IS NULL
  AND checkout_session_id IS NOT NULL AND intent_id IS NULL`;

/** Maximum number of clicks for one page, because the platform may ask the payer to try again in a moment. */
const CLICKS = 20;

/**
 * Clicks 'pay' for every page with an unknown outcome, so that the platform asks the gateway. Pages without a payment
 * stay open.
 */
export async function askAboutPages(books: Books, load: Load): Promise<void> {
  const pages = await books.read<UnknownPage>(
    `SELECT organization_id, invoice_id, donation_id FROM payment_attempts WHERE status = 'pending' AND has_page`,
  );
  // A click without an answer is repeated. An outcome that stays unknown appears in the checks.
  for (const page of pages) for (let tries = 0; tries < CLICKS && !(await load.clickAgain(page)); tries += 1);
}

/**
 * Checks that each charge of a hosted page (a charge without a remittance) is recorded exactly once: as a payment of
 * its invoice, or as an entry of its gift. A charge whose amount differs from its gift has no entry yet; for it, a
 * capture that waits for a decision is enough.
 */
export async function pagesRecorded(books: Books, gateway: Gateway, name: string): Promise<Finding> {
  const captures = (await gateway.ledger()).filter(isOfPage);
  const noted = await books.read<{ intent_id: string; cents: number; payments: number }>(
    `SELECT c.intent_id, c.amount_cents::int AS cents,
            CASE WHEN c.donation_id IS NOT NULL AND c.disposition <> 'recorded' THEN 1 ELSE
              (SELECT count(*)::int FROM payment_records p
                WHERE p.organization_id = c.organization_id AND p.intent_id = c.intent_id AND p.status = 'succeeded')
              + (SELECT count(*)::int FROM donation_entries e
                  WHERE e.organization_id = c.organization_id AND e.capture_id = c.id AND e.kind = 'received') END AS payments
       FROM processor_captures c WHERE c.intent_id = ANY($1)`,
    [captures.map(({ payment_intent: intent }) => intent)],
  );
  const known = new Map(noted.map((capture) => [capture.intent_id, capture]));
  const isRecorded = ({ payment_intent: intent, amount_cents: cents }: Movement) =>
    known.get(intent)?.cents === cents && known.get(intent)?.payments === 1;
  return {
    name,
    examined: captures.length,
    violations: captures
      .filter((capture) => !isRecorded(capture))
      .map((capture) => ({ ...capture, noted: known.get(capture.payment_intent) ?? null })),
  };
}

/**
 * Checks that no page of a finished attempt can still be paid. An attempt may have a second page, because the response
 * for the first one was lost.
 */
export async function pagesClosed(books: Books, gateway: Gateway): Promise<Finding> {
  const open: string[] = [];
  for (const { slug } of await books.read<{ slug: string }>('SELECT slug FROM organizations'))
    for (const secretKey of secretKeysOf(slug)) open.push(...(await gateway.openPages(secretKey)));
  const violations = await books.read(
    `SELECT id AS attempt_id, status, checkout_keys, checkout_closed_at FROM payment_attempts
      WHERE id = ANY($1) AND status <> 'pending'`,
    [open],
  );
  return {
    name: 'no page of a finished attempt can still be paid at the gateway',
    examined: open.length,
    violations,
  };
}

const isOfPage = ({ kind, remittance_id: remittance }: Movement): boolean => kind === 'capture' && remittance === null;
