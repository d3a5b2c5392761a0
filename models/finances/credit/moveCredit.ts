/**
 * Moves credit from one membership of a person to another. The credit keeps the source that it came from (spec:
 * Finances).
 */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { coverShortfall } from './coverShortfall.js';
import { readAvailableCredit, lockCredits, type Payer } from './payer.js';
import { type CreditSource, SOURCE_EFFECT_SQL } from './sources.js';
import { writeEntry } from './writeEntry.js';

/** A source of credit, and how much of its credit moves. */
interface MovedCredit extends CreditSource {
  cents: number;
}

/**
 * Moves a transferred member's credit to the new chapter, except what their open invoices at the old chapter need and
 * what pending refunds reserve. Credit from charges moves first, the newest first, because it can still be refunded to
 * its charge; other credit follows. Locks charges, invoices, then credit, as all transactions do.
 * @param from the membership at the old chapter
 * @param to the membership at the new chapter
 * @returns the cents that moved
 */
export async function moveCredit(from: string, to: string): Promise<number> {
  const oldPayer = await loadPayer(from);
  if (!(await hasCredit(oldPayer))) return 0;
  await lockSources(oldPayer);
  const newPayer = await loadPayer(to);
  await lockCredits([oldPayer, newPayer]);
  const { due } = await oneRow<{ due: number }>(
    'SELECT coalesce(sum(balance_due_cents), 0)::bigint AS due FROM chapter_invoices WHERE organization_id = $1 AND membership_id = $2',
    [currentOrganization(), from],
  );
  const cents = Math.max(0, (await readAvailableCredit(oldPayer)) - due);
  let remaining = cents;
  for (const source of [...(await readSources(oldPayer)), { ...NO_SOURCE, cents }]) {
    const part = Math.min(remaining, source.cents);
    if (part > 0) await moveSource(oldPayer, newPayer, { ...source, cents: part });
    remaining -= part;
  }
  if (cents > 0) await coverShortfall(newPayer);
  return cents;
}

const NO_SOURCE: CreditSource = { paymentId: null, invoiceId: null, resolutionId: null };

/**
 * Moves restored credit on to another membership. A payer has credit restored when a refund of the underlying payment
 * fails; if the rest of that payment's credit has already moved to another membership, the restored part follows it.
 * @param cents the restored credit
 */
export async function forwardRestoredCredit(payer: Payer, source: CreditSource, cents: number): Promise<void> {
  const target = await findLastTarget(source);
  if (!target || target.membershipId === payer.membershipId) return;
  await lockCredits([payer, target]);
  const part = Math.min(cents, await readAvailableCredit(payer));
  if (part <= 0) return;
  await moveSource(payer, target, { ...source, cents: part });
  await coverShortfall(target);
}

const findLastTarget = ({ paymentId, resolutionId }: CreditSource): Promise<Payer | null> =>
  firstRow<Payer>(
    `SELECT chapter_id AS "chapterId", membership_id AS "membershipId" FROM chapter_account_credits
      WHERE organization_id = $1 AND kind = 'moved_in' AND (payment_record_id = $2 OR capture_resolution_id = $3) ORDER BY id DESC LIMIT 1`,
    [currentOrganization(), paymentId, resolutionId],
  );

const loadPayer = (membershipId: string): Promise<Payer> =>
  oneRow<Payer>(
    'SELECT chapter_id AS "chapterId", id AS "membershipId" FROM memberships WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), membershipId],
  );

const PAYER_ENTRIES = 'c.organization_id = $1 AND c.chapter_id = $2 AND c.membership_id = $3';
const payerValues = ({ chapterId, membershipId }: Payer) => [currentOrganization(), chapterId, membershipId];

const hasCredit = (payer: Payer) =>
  firstRow(`SELECT FROM chapter_account_credits c WHERE ${PAYER_ENTRIES} LIMIT 1`, payerValues(payer));

/**
 * Locks everything on which the payer's credit depends: the charges of payments that were kept as credit, the invoices
 * whose payments became credit, and the payer's unpaid invoices.
 */
async function lockSources(payer: Payer): Promise<void> {
  await rows(
    `SELECT id FROM processor_captures WHERE organization_id = $1 AND id IN (
        SELECT r.capture_id FROM chapter_account_credits c
          JOIN capture_resolutions r ON r.organization_id = c.organization_id AND r.id = c.capture_resolution_id WHERE ${PAYER_ENTRIES})
      ORDER BY id FOR UPDATE`,
    payerValues(payer),
  );
  await rows(
    `SELECT id FROM chapter_invoices WHERE organization_id = $1 AND (
        (membership_id = $3 AND balance_due_cents > 0)
        OR id IN (SELECT c.invoice_id FROM chapter_account_credits c WHERE ${PAYER_ENTRIES} AND c.payment_record_id IS NOT NULL))
      ORDER BY id FOR UPDATE`,
    payerValues(payer),
  );
}

const readSources = (payer: Payer): Promise<MovedCredit[]> =>
  rows<MovedCredit>(
    `SELECT c.payment_record_id AS "paymentId", min(c.invoice_id::text)::uuid AS "invoiceId", c.capture_resolution_id AS "resolutionId",
            sum(${SOURCE_EFFECT_SQL})::bigint AS cents
       FROM chapter_account_credits c
      WHERE ${PAYER_ENTRIES} AND num_nonnulls(c.payment_record_id, c.capture_resolution_id) = 1
      GROUP BY c.payment_record_id, c.capture_resolution_id HAVING sum(${SOURCE_EFFECT_SQL}) > 0
      ORDER BY c.payment_record_id IS NULL, max(c.id::text) DESC`,
    payerValues(payer),
  );

async function moveSource(from: Payer, to: Payer, source: MovedCredit): Promise<void> {
  const createdBy = currentScope().origin.userId;
  const outEntry = { ...source, kind: 'moved_out', reason: 'Moved to another chapter.', createdBy } as const;
  const movedFrom = await writeEntry(from, outEntry);
  const inEntry = { ...outEntry, kind: 'moved_in', reason: 'Moved from another chapter.', movedFrom } as const;
  const id = await writeEntry(to, inEntry);
  await audit({
    action: 'credit.moved',
    subjectType: 'credit',
    subjectId: id,
    after: { from: from.membershipId, to: to.membershipId, amount_cents: source.cents, payment_id: source.paymentId },
  });
}
