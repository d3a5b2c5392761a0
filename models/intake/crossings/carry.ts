/** The steps of a crossing, each safe to run again: rows say what is done. */
import { audit } from '../../database/audit.js';
import { changeRow, lockRow, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { fillPhoneNumber } from '../../identity/fillPhoneNumber.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { lockMembership } from '../../organizations/changeMembership.js';
import { inviteAgain } from '../../organizations/invitations/inviteAgain.js';
import * as fill from '../../organizations/lifecycle/carryForward.js';
import { fillEthnicity } from '../../organizations/profiles/demographics.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import type { CarriedField, Fate } from '../vocabulary.js';
import { Crossing } from './Crossing.js';
import { type Source, sourcesOf } from './sources.js';

/** `reverted`: there is nothing left to do. */
export type CrossingStep = 'done' | 'reverted';

/** The membership first, then the crossing: in the order in which whoever changes either locks. @throws RowMissing */
async function lockCrossing(id: string) {
  const there = await loadIfThere(Crossing, id);
  if (!there) throw new RowMissing('There is no such crossing.');
  const member = await lockMembership(there.membership_id);
  return { crossing: await lockRow(Crossing, id), member };
}

/**
 * Gives what the profile says to the records of the member, each field where nothing stands, and writes down what became of
 * it (spec: carry-forward). What was copied once is never copied again, though the member has cleared it since.
 */
export async function carryOver(id: string): Promise<CrossingStep> {
  const { crossing, member } = await lockCrossing(id);
  if (crossing.reverted_at) return 'reverted';
  if (crossing.carried_at) return 'done';
  const { membership_id, profile_id, crossed_at } = crossing;
  const profile = profile_id && (await loadIfThere(PnmProfile, profile_id));
  const sources = sourcesOf(profile || null);
  const hasAccount = !(await isPlaceholder(member.user_id));
  const before = await decidedBefore(crossing);
  const fates: [CarriedField, Fate][] = [];
  async function give<Value>(field: CarriedField, source: Source<Value>, write: (value: Value) => Promise<boolean>) {
    if (before.own.has(field)) return;
    fates.push([field, await fateOf(field, source, write)]);
  }
  const fateOf = async <Value>(
    field: CarriedField,
    source: Source<Value>,
    write: (value: Value) => Promise<boolean>,
  ) => {
    if ('fate' in source) return source.fate;
    if (before.copied.has(field)) return 'kept_member_value';
    if (OF_ACCOUNTS.has(field) && !hasAccount) return 'awaits_account';
    return (await write(source.value)) ? 'copied' : 'kept_member_value';
  };
  const { user_id } = member;
  await give('date_of_birth', sources.date_of_birth, (day) => fill.fillDateOfBirth(user_id, day));
  await give('graduation', sources.graduation, ({ season, year }) => fill.fillGraduation(membership_id, season, year));
  await give('phone_number', sources.phone_number, (phone) => fillPhoneNumber(user_id, phone));
  await give('permanent_address_line1', sources.permanent_address_line1, (line) =>
    fill.fillPermanentAddress(user_id, line),
  );
  await give('ethnicity', sources.ethnicity, (ethnicity) => fillEthnicity(user_id, ethnicity));
  await give('crossing_date', { value: crossed_at }, (at) => fill.fillCrossingDate(membership_id, at));
  // After the date, which may be older than this crossing.
  await give('crossing_semester', { value: null }, () => fill.fillCrossingSemester(membership_id));
  await record(id, fates);
  await changeRow(Crossing, id, { carried_at: now, cancelled_at: null });
  return 'done';
}

/** Belongs to the account, which whoever has not accepted does not have. */
const OF_ACCOUNTS: ReadonlySet<CarriedField> = new Set(['phone_number', 'ethnicity']);

/** What this crossing has decided already, and what any crossing of the profile has ever copied. */
async function decidedBefore({ id, membership_id, profile_id }: Crossing) {
  const decided = await rows<{ crossing_id: string; field: CarriedField; fate: Fate }>(
    `SELECT f.crossing_id, f.field, f.fate FROM crossings c
       JOIN crossing_fields f ON f.organization_id = c.organization_id AND f.crossing_id = c.id
      WHERE c.organization_id = $1 AND (c.membership_id = $2 OR c.profile_id = $3)`,
    [currentOrganization(), membership_id, profile_id],
  );
  return {
    own: new Set(decided.filter(({ crossing_id }) => crossing_id === id).map(({ field }) => field)),
    copied: new Set(decided.filter(({ fate }) => fate === 'copied').map(({ field }) => field)),
  };
}

async function record(crossingId: string, fates: readonly (readonly [CarriedField, Fate])[]): Promise<void> {
  await rows(
    `INSERT INTO crossing_fields (organization_id, crossing_id, field, fate)
     SELECT $1, $2, field, fate FROM unnest($3::text[], $4::text[]) AS given (field, fate)`,
    [currentOrganization(), crossingId, fates.map(([field]) => field), fates.map(([, fate]) => fate)],
  );
  const after = Object.fromEntries(fates);
  await audit({ action: 'crossing.carried', subjectType: 'crossing', subjectId: crossingId, after });
}

/**
 * Whoever has not accepted is mailed their invitation once more: from now on the account lets them in. Everybody else was told
 * with the change of status.
 * @param mails false: an address is mailed once a day, and this one was
 * @throws Refusal already_invited, invitation_closed
 */
export async function welcome(id: string, mails: boolean): Promise<CrossingStep> {
  const { crossing, member } = await lockCrossing(id);
  if (crossing.reverted_at) return 'reverted';
  if (crossing.welcomed_at) return 'done';
  if (mails && (await isPlaceholder(member.user_id))) await inviteAgain('membership_id', member.id);
  await changeRow(Crossing, id, { welcomed_at: now, cancelled_at: null });
  return 'done';
}

/** The process is asked to end: who crossed stays a member, and what is not done waits until somebody tries again. */
export const pauseCrossing = async (id: string): Promise<void> =>
  void (await changeRow(Crossing, { id, welcomed_at: null, reverted_at: null }, { cancelled_at: now }));
