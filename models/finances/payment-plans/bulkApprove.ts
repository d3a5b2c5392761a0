/** All that keeps to the organization's limits, granted in one go: exactly as previewed, where that is said. */
import { createHash } from 'node:crypto';
import { currentOrganization, rows } from '../../database/rows.js';
import { Refusal, refuse } from '../../errors.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { approve, holdRequest } from './decideOnPlan.js';

export const SKIPPED = ['balance_changed', 'schedule_past', 'own_request', 'decided', 'plan_already_active'] as const;
type Skipped = (typeof SKIPPED)[number];

/** So many are granted at a time; the answer says how many are left. */
const MOST = 200;

export interface BulkApproval {
  approved: string[];
  skipped: { id: string; reason: Skipped }[];
  /** Granted by the next call. */
  remaining: number;
  preview_hash: string;
}

interface Candidate {
  id: string;
  version: number;
  balance_changed: boolean;
  schedule_past: boolean;
  own_request: boolean;
  plan_already_active: boolean;
}

/** @param chapters null: all of the organization */
const candidates = (userId: string, chapters: string[] | null): Promise<Candidate[]> =>
  // by invoice: everybody who holds many holds them in this order
  rows<Candidate>(
    `SELECT r.id, r.version, i.balance_due_cents <> r.invoice_balance_cents AS balance_changed,
            (r.schedule->0->>'due_date')::date < app.local_day(o.timezone) AS schedule_past, m.user_id = $2 AS own_request,
            EXISTS (SELECT FROM payment_plans p WHERE p.organization_id = $1 AND p.invoice_id = r.invoice_id AND p.status = 'active')
              AS plan_already_active
       FROM payment_plan_requests r JOIN organizations o ON o.id = r.organization_id
       JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
      WHERE r.organization_id = $1 AND r.status = 'pending' AND r.is_in_policy AND ($3::uuid[] IS NULL OR r.chapter_id = ANY ($3))
      ORDER BY r.invoice_id`,
    [currentOrganization(), userId, chapters],
  );

/** What is known before anything is granted; the first that holds is said. */
const FORESEEN = ['own_request', 'plan_already_active', 'balance_changed', 'schedule_past'] as const;

/** What would be granted, and what not and why. Changes nothing. */
export async function previewBulkApproval(userId: string, chapters: string[] | null): Promise<BulkApproval> {
  const found = await candidates(userId, chapters);
  const skipped = found.flatMap((candidate) => {
    const reason = FORESEEN.find((one) => candidate[one]);
    return reason ? [{ id: candidate.id, reason }] : [];
  });
  const out = new Set(skipped.map(({ id }) => id));
  const granted = found.filter(({ id }) => !out.has(id)).map(({ id }) => id);
  const seen = JSON.stringify([found.map(({ id, version }) => [id, version]), skipped]);
  return {
    approved: granted.slice(0, MOST),
    skipped,
    remaining: Math.max(0, granted.length - MOST),
    preview_hash: createHash('sha256').update(seen).digest('hex'),
  };
}

/** Why a grant was refused. @throws whatever is no reason to skip one */
function reasonOf(error: unknown): Skipped {
  const code = error instanceof Refusal ? error.code : null;
  const reason = code === requestErrors.request_closed.code ? 'decided' : SKIPPED.find((one) => one === code);
  if (!reason) throw error;
  return reason;
}

/** Grants them, each by itself: what somebody else decides meanwhile stays decided. @throws Refusal preview_stale */
export async function bulkApprove(
  userId: string,
  chapters: string[] | null,
  previewHash?: string,
): Promise<BulkApproval> {
  const preview = await previewBulkApproval(userId, chapters);
  if (previewHash !== undefined && previewHash !== preview.preview_hash) throw refuse.preview_stale();
  const approved: string[] = [];
  const skipped = [...preview.skipped];
  for (const id of preview.approved) {
    await rows('SAVEPOINT granting');
    try {
      const { request, invoice } = await holdRequest(id);
      if (invoice.balance_due_cents !== request.invoice_balance_cents) skipped.push({ id, reason: 'balance_changed' });
      else {
        await approve(request, invoice, request.schedule, userId);
        approved.push(id);
      }
      await rows('RELEASE SAVEPOINT granting');
    } catch (error) {
      skipped.push({ id, reason: reasonOf(error) });
      await rows('ROLLBACK TO SAVEPOINT granting');
    }
  }
  return { ...preview, approved, skipped };
}
