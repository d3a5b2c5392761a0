/** Credit follows its person from one membership to another, and stays of the money that it came from (spec: Finances). */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { coverShortfall } from './coverShortfall.js';
import { availableCredit, lockCredits, type Payer } from './payer.js';
import { type CreditSource, OF_SOURCE } from './sources.js';
import { writeEntry } from './writeEntry.js';

/** Money that brought credit, and how much of it goes along. */
interface Moved extends CreditSource {
  cents: number;
}

/**
 * Of whoever is transferred the credit goes along that their open invoices at the old chapter leave: first what came by a charge, the
 * newest first, which can go back on it from there as well; then what came otherwise. What is on its way back stays.
 * Locks as everybody does: charges, invoices, credit.
 * @param from the membership that they leave
 * @param to their membership elsewhere
 * @returns the cents that moved
 */
export async function moveCredit(from: string, to: string): Promise<number> {
  const leaver = await payerOf(from);
  if (!(await hasCredit(leaver))) return 0;
  await holdSources(leaver);
  const arrived = await payerOf(to);
  await lockCredits([leaver, arrived]);
  const { due } = await oneRow<{ due: number }>(
    'SELECT coalesce(sum(balance_due_cents), 0)::bigint AS due FROM chapter_invoices WHERE organization_id = $1 AND membership_id = $2',
    [currentOrganization(), from],
  );
  const cents = Math.max(0, (await availableCredit(leaver)) - due);
  let left = cents;
  for (const source of [...(await sourcesOf(leaver)), { ...NO_SOURCE, cents }]) {
    const part = Math.min(left, source.cents);
    if (part > 0) await move(leaver, arrived, { ...source, cents: part });
    left -= part;
  }
  if (cents > 0) await coverShortfall(arrived);
  return cents;
}

const NO_SOURCE: CreditSource = { paymentId: null, invoiceId: null, resolutionId: null };

/**
 * What has just become credit of a payer again, because money came back, goes where the rest of that money's credit went.
 * @param cents what became credit
 */
export async function followCredit(payer: Payer, source: CreditSource, cents: number): Promise<void> {
  const where = await lastMovedTo(source);
  if (!where || where.membershipId === payer.membershipId) return;
  await lockCredits([payer, where]);
  const part = Math.min(cents, await availableCredit(payer));
  if (part <= 0) return;
  await move(payer, where, { ...source, cents: part });
  await coverShortfall(where);
}

const lastMovedTo = ({ paymentId, resolutionId }: CreditSource): Promise<Payer | null> =>
  firstRow<Payer>(
    `SELECT chapter_id AS "chapterId", membership_id AS "membershipId" FROM chapter_account_credits
      WHERE organization_id = $1 AND kind = 'moved_in' AND (payment_record_id = $2 OR capture_resolution_id = $3) ORDER BY id DESC LIMIT 1`,
    [currentOrganization(), paymentId, resolutionId],
  );

const payerOf = (membershipId: string): Promise<Payer> =>
  oneRow<Payer>(
    'SELECT chapter_id AS "chapterId", id AS "membershipId" FROM memberships WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), membershipId],
  );

const ENTRIES = 'c.organization_id = $1 AND c.chapter_id = $2 AND c.membership_id = $3';
const entriesOf = ({ chapterId, membershipId }: Payer) => [currentOrganization(), chapterId, membershipId];

const hasCredit = (payer: Payer) =>
  firstRow(`SELECT FROM chapter_account_credits c WHERE ${ENTRIES} LIMIT 1`, entriesOf(payer));

/** The charges of money that was kept, the invoices whose payments brought credit, and those that are due. */
async function holdSources(payer: Payer): Promise<void> {
  await rows(
    `SELECT id FROM processor_captures WHERE organization_id = $1 AND id IN (
        SELECT r.capture_id FROM chapter_account_credits c
          JOIN capture_resolutions r ON r.organization_id = c.organization_id AND r.id = c.capture_resolution_id WHERE ${ENTRIES})
      ORDER BY id FOR UPDATE`,
    entriesOf(payer),
  );
  await rows(
    `SELECT id FROM chapter_invoices WHERE organization_id = $1 AND (
        (membership_id = $3 AND balance_due_cents > 0)
        OR id IN (SELECT c.invoice_id FROM chapter_account_credits c WHERE ${ENTRIES} AND c.payment_record_id IS NOT NULL))
      ORDER BY id FOR UPDATE`,
    entriesOf(payer),
  );
}

const sourcesOf = (payer: Payer): Promise<Moved[]> =>
  rows<Moved>(
    `SELECT c.payment_record_id AS "paymentId", min(c.invoice_id::text)::uuid AS "invoiceId", c.capture_resolution_id AS "resolutionId",
            sum(${OF_SOURCE})::bigint AS cents
       FROM chapter_account_credits c
      WHERE ${ENTRIES} AND num_nonnulls(c.payment_record_id, c.capture_resolution_id) = 1
      GROUP BY c.payment_record_id, c.capture_resolution_id HAVING sum(${OF_SOURCE}) > 0
      ORDER BY c.payment_record_id IS NULL, max(c.id::text) DESC`,
    entriesOf(payer),
  );

async function move(from: Payer, to: Payer, moved: Moved): Promise<void> {
  const createdBy = currentScope().origin.userId;
  const out = { ...moved, kind: 'moved_out', reason: 'It went along to another chapter.', createdBy } as const;
  const movedFrom = await writeEntry(from, out);
  const came = { ...out, kind: 'moved_in', reason: 'It came along from another chapter.', movedFrom } as const;
  const id = await writeEntry(to, came);
  await audit({
    action: 'credit.moved',
    subjectType: 'credit',
    subjectId: id,
    after: { from: from.membershipId, to: to.membershipId, amount_cents: moved.cents, payment_id: moved.paymentId },
  });
}
