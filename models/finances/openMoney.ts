/**
 * SQL expressions of the work about money that waits in the tenant, with the conditions of the lists that show the rows.
 */
import { countAndOldest } from '../database/countAndOldest.js';
import { isUnmatched } from './captures/unmatchedPayments.js';
import { isOf } from './cases/listCases.js';
import { IS_OF_DUES } from './disputes/readDisputes.js';
import { IS_FROZEN, ZONE } from './payment-plans/listPlanRequests.js';
import { IS_FLAGGED } from './remittances/remittance.js';

/** Flagged remittances. @param chapters SQL of an array of chapters; NULL: all chapters */
export const remittanceFlagsSql = (chapters: string): string =>
  countAndOldest(
    'r.reconciliation_flagged_at',
    `chapter_remittances r WHERE r.organization_id = (SELECT app.org_id()) AND ${IS_FLAGGED} AND ${isIn(chapters)}`,
  );

export const MONEY_CASES_SQL = countAndOldest(
  'money_cases.created_at',
  `money_cases WHERE organization_id = (SELECT app.org_id()) AND status = 'open' AND ${isOf('dues')}`,
);

export const UNMATCHED_PAYMENTS_SQL = countAndOldest(
  'c.created_at',
  `processor_captures c WHERE ${isUnmatched('dues')} AND c.disposition = 'flagged'`,
);

/**
 * Plan requests whose freeze of reminders ends within 48 hours.
 * @param chapters SQL of an array of chapters, whose regional admins decide if the organization lets them; NULL: all
 * chapters
 */
export const endingFreezesSql = (chapters: string): string =>
  countAndOldest(
    'r.created_at',
    `payment_plan_requests r WHERE r.organization_id = (SELECT app.org_id()) AND r.status = 'pending' AND ${IS_FROZEN}
       AND app.day_begins(${ZONE}, r.freeze_anchor + 3) <= now() + interval '48 hours' AND ${isIn(chapters)}
       AND (${chapters}::uuid[] IS NULL OR EXISTS (SELECT FROM org_dues_settings s
              WHERE s.organization_id = r.organization_id AND s.plan_regional_approval))`,
  );

/** Open disputes whose deadline for evidence has not passed. */
export const DISPUTES_DUE_SQL = countAndOldest(
  'd.opened_at',
  `payment_disputes d WHERE d.organization_id = (SELECT app.org_id()) AND d.status = 'open' AND d.evidence_due_at > now()
     AND ${IS_OF_DUES}`,
);

/** The latest ledger check, or NULL. */
export const LAST_LEDGER_CHECK_SQL = `(SELECT json_build_object('id', l.id, 'status', l.status, 'started_at', l.started_at,
    'finished_at', l.finished_at)
  FROM ledger_checks l WHERE l.organization_id = (SELECT app.org_id()) ORDER BY l.started_at DESC, l.id DESC LIMIT 1)`;

const isIn = (chapters: string): string => `(${chapters}::uuid[] IS NULL OR r.chapter_id = ANY (${chapters}))`;
