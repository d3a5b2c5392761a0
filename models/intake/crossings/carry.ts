/** The steps of a crossing, each safe to run again: rows say what is done. */
import { changeRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { provisionAccount } from '../../../workflows/contracts/index.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { inviteAgain } from '../../organizations/invitations/inviteAgain.js';
import { sendInvitation } from '../../organizations/invitations/sendInvitation.js';
import type { CarriedField, Fate } from '../vocabulary.js';
import { Crossing } from './Crossing.js';
import { giftsOf } from './gifts.js';
import { giveAll } from './giveAll.js';
import type { Answers } from './sources.js';

/** `reverted`: there is nothing left to do; `welcomed`: nor is there after this. */
export type CrossingStep = 'done' | 'welcomed' | 'reverted';

/** How far it has come, and which account is to be made now. */
export interface Carried {
  step: CrossingStep;
  recordId: string | null;
}

interface Locked {
  membership_id: string;
  profile_id: string | null;
  crossed_at: Date;
  carried_at: Date | null;
  welcomed_at: Date | null;
  reverted_at: Date | null;
  /** That is to be made, and has not begun. */
  record_id: string | null;
}

/** The membership first, then the crossing: in the order in which whoever changes either locks. @throws RowMissing */
async function lockCrossing(id: string): Promise<Locked> {
  const locked = await firstRow<Locked>(
    `SELECT c.membership_id, c.profile_id, c.crossed_at, c.carried_at, c.welcomed_at, c.reverted_at,
            (SELECT r.id FROM account_provisioning_records r
              WHERE r.organization_id = $1 AND r.membership_id = m.id AND r.status = 'pending') AS record_id
       FROM memberships m JOIN crossings c ON c.organization_id = m.organization_id AND c.membership_id = m.id
      WHERE c.organization_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF m, c`,
    [currentOrganization(), id],
  );
  if (!locked) throw new RowMissing('There is no such crossing.');
  return locked;
}

/**
 * Gives what the profile says to the records of the member, each field where nothing stands, and writes down what became of
 * it (spec: carry-forward). What was copied once is never copied again, though the member has cleared it since.
 */
export async function carryOver(id: string): Promise<Carried> {
  const { membership_id, profile_id, crossed_at, carried_at, reverted_at, record_id } = await lockCrossing(id);
  if (reverted_at) return { step: 'reverted', recordId: null };
  if (carried_at) return { step: 'done', recordId: record_id };
  const { user_id, has_account, answers, decided } = await readReceiver(membership_id, profile_id);
  const gifts = giftsOf(answers, crossed_at, {
    hasAccount: has_account,
    copied: new Set(decided.filter(({ fate }) => fate === 'copied').map(({ field }) => field)),
  });
  const own = new Set(decided.filter(({ crossing }) => crossing === id).map(({ field }) => field));
  // Whoever has an account was told with the change of status.
  const receiver = { crossingId: id, membershipId: membership_id, userId: user_id, decided: own, isLast: has_account };
  const made = await giveAll(gifts, receiver);
  return { step: has_account ? 'welcomed' : 'done', recordId: made ?? record_id };
}

/** What its process has not come to yet, of a locked membership. */
export async function carryAtOnce(membershipId: string): Promise<void> {
  const waiting = await firstRow<{ id: string }>(
    `SELECT id FROM crossings
      WHERE organization_id = $1 AND membership_id = $2 AND carried_at IS NULL AND reverted_at IS NULL`,
    [currentOrganization(), membershipId],
  );
  if (!waiting) return;
  const { recordId } = await carryOver(waiting.id);
  // The process of the crossing finds it no more: the account goes along.
  if (recordId !== null) await enqueue(provisionAccount, { recordId });
}

interface ReceiverRow {
  user_id: string;
  has_account: boolean;
  /** Null: there is no profile any more, or there never was one. */
  answers: Answers | null;
  /** What this crossing has decided already, and others of the membership or the profile. */
  decided: { crossing: string; field: CarriedField; fate: Fate }[];
}

/** In a statement of its own, after the locks: so it sees what whoever held them has done. */
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
 * Whoever has not accepted is mailed their invitation once more: from now on the account lets them in. Everybody else was told
 * with the change of status.
 * @param mails false: an address is mailed once a day, and this one was
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

/** Whoever has no account yet; who has applied by themselves was never invited. */
async function invite(membershipId: string, mails: boolean): Promise<void> {
  const waiting = await firstRow<{ user_id: string; invited: boolean }>(
    `SELECT m.user_id, EXISTS (SELECT FROM invitations i WHERE i.organization_id = $1 AND i.membership_id = m.id) AS invited
       FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NOT NULL
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
  if (!waiting) return;
  if (!waiting.invited) await sendInvitation('membership_id', membershipId, waiting.user_id);
  else if (mails) await inviteAgain('membership_id', membershipId);
}

/** The process is asked to end: who crossed stays a member, and what is not done waits until somebody tries again. */
export const pauseCrossing = async (id: string): Promise<void> =>
  void (await changeRow(Crossing, { id, welcomed_at: null, reverted_at: null }, { cancelled_at: now }));
