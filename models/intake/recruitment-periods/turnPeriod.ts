/**
 * Lets admins of the organization activate, close and reopen a recruitment period. A process applies the change to the
 * period's prospective members.
 */
import { createHash } from 'node:crypto';
import { recruitmentTurn } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { type Change, computed, editRow, lockForEdit, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { intakeErrors } from '../errors.js';
import type { PnmStage } from '../vocabulary.js';
import { RecruitmentPeriod } from './RecruitmentPeriod.js';

const actor = () => ({ changed_by: currentScope().origin.userId });

/**
 * Activates a draft.
 * @throws Refusal not_found, period_not_draft, period_already_active
 */
export async function activatePeriod(id: string): Promise<void> {
  const period = await lockForEdit(RecruitmentPeriod, id);
  if (period.status !== 'draft') throw intakeErrors.period_not_draft();
  await editRow(period, { status: 'active', ...actor() });
}

export interface Undecided {
  pnm: string;
  chapter: string;
  first_name: string;
  last_name: string;
  stage: PnmStage;
  /** Whether the person will be notified: only people with an account whose membership changes are. */
  is_told: boolean;
}

export interface ClosePreview {
  preview_hash: string;
  undecided: Undecided[];
}

/**
 * Lists the prospective members whom closing the period would reject.
 * @throws Refusal not_found, period_not_active
 */
export async function previewClosing(id: string): Promise<ClosePreview> {
  const { status } = await loadRow(RecruitmentPeriod, id);
  if (status !== 'active') throw intakeErrors.period_not_active();
  const undecided = await rows<Undecided>(
    `SELECT p.id AS pnm, p.chapter_id AS chapter, u.first_name, u.last_name, p.stage,
            u.placeholder_in IS NULL AND m.status = 'pnm' AS is_told
       FROM pnm_profiles p JOIN memberships m ON m.organization_id = $1 AND m.id = p.membership_id
       JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
      WHERE p.organization_id = $1 AND p.recruitment_period_id = $2 AND p.stage IN ('not_started', 'approved', 'in_progress')
      ORDER BY p.id`,
    [currentOrganization(), id],
  );
  const listed = undecided.map(({ pnm, stage }) => `${pnm} ${stage}`).join('\n');
  return { preview_hash: createHash('sha256').update(`${id}\n${listed}`).digest('hex'), undecided };
}

/**
 * Closes the period at once for new applications. A process rejects the people in the preview. @throws Refusal
 * not_found, period_not_active, preview_stale
 */
export async function closePeriod(id: string, previewHash: string): Promise<void> {
  const period = await lockForEdit(RecruitmentPeriod, id);
  if ((await previewClosing(id)).preview_hash !== previewHash) throw refuse.preview_stale();
  await turn(period, { status: 'closed', reopen_reason: null });
}

/**
 * SQL for the value of `links_ended_at` after a reopening. If the period was closed for more than 30 days, the links of
 * unconfirmed versions have expired (`LINK_IS_VALID`), and the current time makes them stay invalid. Otherwise the
 * value does not change.
 */
const LINKS_ENDED = `CASE WHEN turned_at < now() - interval '30 days' THEN now() ELSE links_ended_at END`;

/**
 * Reopens the period. People who were rejected because the period was closed return to their previous stage, unless a
 * later decision has changed it.
 * @throws Refusal not_found, period_not_closed, period_already_active
 */
export async function reopenPeriod(id: string, reason: string): Promise<void> {
  const period = await lockForEdit(RecruitmentPeriod, id);
  if (period.status !== 'closed') throw intakeErrors.period_not_closed();
  await turn(period, { status: 'active', reopen_reason: reason, links_ended_at: computed(LINKS_ENDED) });
}

async function turn(period: RecruitmentPeriod, edit: Change<RecruitmentPeriod>): Promise<void> {
  const next = period.turn + 1;
  await editRow(period, { ...edit, ...actor(), turn: next, turned_at: now, stop_reason: null });
  await enqueue(recruitmentTurn, { periodId: period.id, turn: String(next) });
}
