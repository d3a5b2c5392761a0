/**
 * The steps that follow a crossing (a prospective member has become a member). Each step can safely run again, because
 * the rows record what is done.
 */
import { changeRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { provisionAccount } from '../../../workflows/contracts/index.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { inviteAgain } from '../../organizations/invitations/inviteAgain.js';
import { sendInvitation } from '../../organizations/invitations/sendInvitation.js';
import type { CarriedField, Fate } from '../vocabulary.js';
import { Crossing } from './Crossing.js';
import { planCarry } from './carryPlan.js';
import { writeCarryPlan } from './writeCarryPlan.js';
import type { Answers } from './sources.js';

/**
 * `reverted`: the crossing was reverted, so no step remains. `welcomed`: the member needs no welcome mail, so the
 * process ends after this step.
 */
export type CrossingStep = 'done' | 'welcomed' | 'reverted';

/** Progress of the crossing, and the provisioning record of the account that is to be created now. */
export interface CarryResult {
  step: CrossingStep;
  recordId: string | null;
}

interface CrossingRow {
  membership_id: string;
  profile_id: string | null;
  crossed_at: Date;
  carried_at: Date | null;
  welcomed_at: Date | null;
  reverted_at: Date | null;
  /** Provisioning record of an account whose creation has not begun; null if there is none. */
  record_id: string | null;
}

/** Locks the membership, then the crossing, in the order in which all writers lock them. @throws RowMissing */
async function lockCrossing(id: string): Promise<CrossingRow> {
  const row = await firstRow<CrossingRow>(
    `SELECT c.membership_id, c.profile_id, c.crossed_at, c.carried_at, c.welcomed_at, c.reverted_at,
            (SELECT r.id FROM account_provisioning_records r
              WHERE r.organization_id = $1 AND r.membership_id = m.id AND r.status = 'pending') AS record_id
       FROM memberships m JOIN crossings c ON c.organization_id = m.organization_id AND c.membership_id = m.id
      WHERE c.organization_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF m, c`,
    [currentOrganization(), id],
  );
  if (!row) throw new RowMissing('There is no such crossing.');
  return row;
}

/**
 * Copies the answers of the intake profile into empty fields of the member's records. Records for each field whether it
 * was copied, or why not (spec: carry-forward). Each field is copied at most once, even if the member has cleared it
 * since.
 */
export async function carryOver(id: string): Promise<CarryResult> {
  const { membership_id, profile_id, crossed_at, carried_at, reverted_at, record_id } = await lockCrossing(id);
  if (reverted_at) return { step: 'reverted', recordId: null };
  if (carried_at) return { step: 'done', recordId: record_id };
  const { user_id, has_account, answers, decided } = await readReceiver(membership_id, profile_id);
  const plan = planCarry(answers, crossed_at, {
    hasAccount: has_account,
    copied: new Set(decided.filter(({ fate }) => fate === 'copied').map(({ field }) => field)),
  });
  const own = new Set(decided.filter(({ crossing }) => crossing === id).map(({ field }) => field));
  // If the member has an account, this is the last step (`isLast`) and no welcome mail follows, because the member was
  // already notified when the status changed.
  const target = { crossingId: id, membershipId: membership_id, userId: user_id, decided: own, isLast: has_account };
  const newRecordId = await writeCarryPlan(plan, target);
  return { step: has_account ? 'welcomed' : 'done', recordId: newRecordId ?? record_id };
}

/**
 * Copies the answers at once if the crossing's background process has not done so yet. The caller has locked the
 * membership.
 */
export async function carryPending(membershipId: string): Promise<void> {
  const pending = await firstRow<{ id: string }>(
    `SELECT id FROM crossings
      WHERE organization_id = $1 AND membership_id = $2 AND carried_at IS NULL AND reverted_at IS NULL`,
    [currentOrganization(), membershipId],
  );
  if (!pending) return;
  const { recordId } = await carryOver(pending.id);
  // Starts provisioning here, because the crossing's process may no longer find the record of the account.
  if (recordId !== null) await enqueue(provisionAccount, { recordId });
}

interface ReceiverRow {
  user_id: string;
  has_account: boolean;
  /** Answers of the intake profile; null if the member has none. */
  answers: Answers | null;
  /**
   * For each field, whether it was copied or why not (the fate), as recorded by this and other crossings of the same
   * membership or profile.
   */
  decided: { crossing: string; field: CarriedField; fate: Fate }[];
}

/**
 * Runs as a separate statement after the locks were taken, so that it sees what the previous holder of the locks has
 * committed.
 */
const readReceiver = (membershipId: string, profileId: string | null): Promise<ReceiverRow> =>
  oneRow<ReceiverRow>(
    `SELECT m.user_id, u.placeholder_in IS NULL AS has_account, to_jsonb(p) AS answers,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('crossing', f.crossing_id, 'field', f.field, 'fate', f.fate)), '[]')
               FROM crossings c JOIN crossing_fields f ON f.organization_id = c.organization_id AND f.crossing_id = c.id
              WHERE c.organization_id = $1 AND (c.membership_id = $2 OR c.profile_id = $3)) AS decided
       FROM memberships m JOIN users u ON u.id = m.user_id
       LEFT JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = $3
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId, profileId],
  );

/**
 * Sends a welcome invitation to a member who has no account yet, because accepting it now gives access. Members with an
 * account get none: they were notified when the status changed.
 * @param mails false if the address was already mailed within the last day; the limit is one mail a day
 * @throws Refusal already_invited, invitation_closed
 */
export async function welcome(id: string, mails: boolean): Promise<CrossingStep> {
  const { membership_id, welcomed_at, reverted_at } = await lockCrossing(id);
  if (reverted_at) return 'reverted';
  if (welcomed_at) return 'done';
  await invite(membership_id, mails);
  await changeRow(Crossing, id, { welcomed_at: now, cancelled_at: null });
  return 'done';
}

/** Invites the person if they have no account yet. A person who applied through the form was not invited before. */
async function invite(membershipId: string, mails: boolean): Promise<void> {
  const placeholder = await firstRow<{ user_id: string; invited: boolean }>(
    `SELECT m.user_id, EXISTS (SELECT FROM invitations i WHERE i.organization_id = $1 AND i.membership_id = m.id) AS invited
       FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NOT NULL
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
  if (!placeholder) return;
  if (!placeholder.invited) await sendInvitation('membership_id', membershipId, placeholder.user_id);
  else if (mails) await inviteAgain('membership_id', membershipId);
}

/**
 * Marks the crossing cancelled, because its process was asked to end. The person stays a member; the remaining steps
 * wait until the crossing is resumed.
 */
export const pauseCrossing = async (id: string): Promise<void> =>
  void (await changeRow(Crossing, { id, welcomed_at: null, reverted_at: null }, { cancelled_at: now }));
