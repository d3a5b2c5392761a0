import { config } from '../../../config.js';
import { firstRow, currentOrganization, oneRow, rows } from '../../database/rows.js';
import { audit } from '../../database/audit.js';
import { writePipelined } from '../../database/pipelinedTransaction.js';
import { FORCE_GENERIC_PLAN } from '../../database/preparedQuery.js';
import { feeCentsOf } from '../donations/fees.js';
import { periodGiftId } from './chargeKey.js';
import { findOpenPeriod, lockPledgeForStep } from './lockPledge.js';
import { resumePledge } from './movePledge.js';
import { requestNotice } from './notices.js';
import { RecurringPledge } from './RecurringPledge.js';

/** Maximum sleep of a pledge's process. A signal ends it earlier. */
const MAX_SECONDS = 30 * 86_400;
/** While charges are held, the process looks again at this interval. */
const HELD_SECONDS = 600;
/** Donors are told this many days before a charge that comes every quarter or year. */
const DAYS_BEFORE_CHARGE = 7;

/** SQL: whether the charge of pledge `g` is announced, because it comes within days and only every quarter or year. */
const isAnnounceable = (g: string): string =>
  `(${g}.status IN ('active','past_due') AND ${g}.recurring_interval <> 'monthly'
    AND coalesce(${g}.next_due_at BETWEEN now() AND now() + interval '${DAYS_BEFORE_CHARGE} days', false))`;

/** State of a pledge for its process. */
export interface PledgeStep {
  stage: 'waiting' | 'charging' | 'past_due' | 'paused' | 'cancelled';
  /** The period to charge; null: none. */
  period: number | null;
  /** When the row must be read again. */
  seconds: number;
  hasNotices: boolean;
  hasCardsToForget: boolean;
}

interface PledgeState extends Omit<PledgeStep, 'stage'> {
  status: RecurringPledge['status'];
  /** Whether the pledge must be changed now: resumed, charged or announced. */
  isChangeDue: boolean;
  isPeriodDue: boolean;
}

const STATE = `
  SELECT g.status, open.n AS period, coalesce(g.next_due_at <= now(), false) AS "isPeriodDue",
         coalesce(app.day_begins(f.timezone, g.resume_on) <= now(), false)
           OR (open.n IS NULL AND coalesce(g.next_due_at <= now(), false))
           OR (${isAnnounceable('g')} AND NOT EXISTS (SELECT FROM pledge_notices n WHERE n.organization_id = g.organization_id
                 AND n.pledge_id = g.id AND n.kind = 'upcoming' AND n.period = g.next_period)) AS "isChangeDue",
         EXISTS (SELECT FROM pledge_notices n WHERE n.organization_id = g.organization_id AND n.pledge_id = g.id AND n.status = 'waiting')
           AS "hasNotices",
         g.retired_card_encrypted IS NOT NULL OR (g.status = 'cancelled' AND g.card_encrypted IS NOT NULL AND open.n IS NULL)
           AS "hasCardsToForget",
         ceil(least(${MAX_SECONDS}, greatest(1, extract(epoch FROM CASE
           WHEN g.resume_on IS NOT NULL THEN app.day_begins(f.timezone, g.resume_on)
           WHEN g.recurring_interval <> 'monthly' AND g.next_due_at - interval '${DAYS_BEFORE_CHARGE} days' > now()
             THEN g.next_due_at - interval '${DAYS_BEFORE_CHARGE} days'
           ELSE coalesce(g.next_due_at, 'infinity') END - now()))))::int AS seconds
    FROM recurring_pledges g
    JOIN foundation_configs f ON f.organization_id = g.organization_id
    LEFT JOIN pledge_periods open ON open.organization_id = g.organization_id AND open.pledge_id = g.id AND open.status = 'open'
   WHERE g.organization_id = $1 AND g.id = $2`;

/**
 * Reads a pledge for its process, in one round trip and without a lock. A change that is not committed yet wakes the
 * process again.
 * @returns null if the pledge must be changed, or does not exist
 */
export async function readSleepingPledge(organizationId: string, pledgeId: string): Promise<PledgeStep | null> {
  const statement = { text: STATE, values: [organizationId, pledgeId], prepared: true };
  const [, [state]] = (await writePipelined(organizationId, [FORCE_GENERIC_PLAN, statement])) as [
    unknown,
    PledgeState[],
  ];
  return state && !state.isChangeDue ? stepOf(state) : null;
}

/**
 * Reads a pledge for its process, under its lock: resumes it on the chosen day, opens its period when it is due, and
 * requests the mail that announces a charge.
 * @throws RowMissing
 */
export async function followPledge(pledgeId: string): Promise<PledgeStep> {
  const pledge = await lockPledgeForStep(pledgeId);
  if (pledge.status === 'paused' && (await isResumeDay(pledge))) await resumePledge(pledgeId, { by: 'process' });
  if (!(await findOpenPeriod(pledgeId))) await openDuePeriod(pledgeId);
  await announceCharge(pledgeId);
  return stepOf(await oneRow<PledgeState & Record<string, unknown>>(STATE, [currentOrganization(), pledgeId]));
}

function stepOf({ status, period, isPeriodDue, seconds, hasNotices, hasCardsToForget }: PledgeState): PledgeStep {
  const stage = status === 'active' ? (period === null ? 'waiting' : 'charging') : status;
  // A due period that is not open is held.
  return { stage, period, seconds: isPeriodDue ? HELD_SECONDS : seconds, hasNotices, hasCardsToForget };
}

const isResumeDay = async ({ resume_on }: RecurringPledge): Promise<boolean> =>
  resume_on !== null &&
  (
    await oneRow<{ is_over: boolean }>(
      `SELECT app.day_begins(timezone, $2) <= now() AS is_over FROM foundation_configs WHERE organization_id = $1`,
      [currentOrganization(), resume_on],
    )
  ).is_over;

/**
 * Opens the latest due period of a locked pledge, with its gift. Earlier due periods are skipped: after an outage a
 * donor is charged once. While charges are held, or the organization is suspended, no period is opened.
 */
async function openDuePeriod(pledgeId: string): Promise<void> {
  if (!config.PLEDGE_CHARGES) return;
  const due = await firstRow<{
    n: number;
    due_at: Date;
    due_on: string;
    amount_cents: number;
    next: number;
    next_at: Date;
  }>(
    `SELECT due.n, due.due_at, app.pledge_due_on(g.anchor_on, g.recurring_interval, due.n) AS due_on, g.amount_cents, due.n + 1 AS next,
            app.pledge_due_at(f.timezone, g.id, app.pledge_due_on(g.anchor_on, g.recurring_interval, due.n + 1)) AS next_at
       FROM recurring_pledges g
       JOIN organizations o ON o.id = g.organization_id AND o.is_active
       JOIN foundation_configs f ON f.organization_id = g.organization_id
      CROSS JOIN LATERAL app.pledge_period_due(f.timezone, g.id, g.anchor_on, g.recurring_interval, g.next_period, now(), false) AS due
      WHERE g.organization_id = $1 AND g.id = $2 AND g.next_due_at <= now()`,
    [currentOrganization(), pledgeId],
  );
  if (!due) return;
  const giftId = periodGiftId(pledgeId, due.n, due.due_on);
  await rows(
    `INSERT INTO donations (id, organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency,
        base_amount_cents, first_name, last_name, is_anonymous, request_hash, pledge_id, period)
     SELECT $3, g.organization_id, g.donor_id, g.campaign_id, g.fund_id, g.amount_cents, $4, g.currency, g.base_amount_cents,
            -- a name that was corrected since, and the donor's preference for future gifts, apply to this gift as well
            CASE WHEN o.name_corrected_at > g.created_at THEN o.first_name ELSE g.first_name END,
            CASE WHEN o.name_corrected_at > g.created_at THEN o.last_name ELSE g.last_name END,
            g.is_anonymous OR o.is_anonymous, rpad('pledge', 43, '-'), g.id, $5
       FROM recurring_pledges g JOIN donors o ON o.organization_id = g.organization_id AND o.id = g.donor_id
      WHERE g.organization_id = $1 AND g.id = $2`,
    [currentOrganization(), pledgeId, giftId, feeCentsOf(due.amount_cents), due.n],
  );
  await rows(
    `WITH moved AS (
       UPDATE recurring_pledges SET next_period = $5, next_due_at = $6 WHERE organization_id = $1 AND id = $2)
     INSERT INTO pledge_periods (organization_id, pledge_id, n, due_at, donation_id) VALUES ($1, $2, $3, $4, $7)`,
    [currentOrganization(), pledgeId, due.n, due.due_at, due.next, due.next_at, giftId],
  );
  await audit({
    action: 'recurring_pledge.due',
    subjectType: 'recurring_pledge',
    subjectId: pledgeId,
    after: { period: due.n, donation: giftId },
  });
}

/** Requests the mail that announces the next charge, for a pledge that is charged every quarter or year. */
async function announceCharge(pledgeId: string): Promise<void> {
  const soon = await firstRow<{ next_period: number }>(
    `SELECT g.next_period FROM recurring_pledges g WHERE g.organization_id = $1 AND g.id = $2 AND ${isAnnounceable('g')}`,
    [currentOrganization(), pledgeId],
  );
  if (soon) await requestNotice(pledgeId, 'upcoming', soon.next_period);
}
