/** Reads and changes a person's phone number and profile, many people at a time. */
import { currentOrganization, rows } from '../../database/rows.js';
import { lockPhoneNumbers, type PhoneNumber, setPhoneNumbers } from '../../identity/phoneNumbers.js';
import { PERSON_FIELDS, type PersonField, PROFILE_FIELDS } from './fields.js';

export type PersonValues = Record<PersonField, string | null>;

export interface LockedPerson extends PersonValues {
  profile_id: string;
  elsewhere: boolean;
}

export interface PersonEdit {
  userId: string;
  fields: Partial<PersonValues>;
}

/** Locks accounts, then profiles, each ordered by user id. An erased person has no profile and is left out. */
export async function lockPeople(userIds: readonly string[]): Promise<Map<string, LockedPerson>> {
  const people = new Map<string, LockedPerson>();
  if (userIds.length === 0) return people;
  const numbers = new Map<string, PhoneNumber>((await lockPhoneNumbers(userIds)).map((one) => [one.id, one]));
  const profiles = await rows<{ profile: PersonValues & { id: string; user_id: string } }>(
    `SELECT to_jsonb(p) AS profile FROM member_profiles p WHERE organization_id = $1 AND user_id = ANY ($2)
      ORDER BY user_id FOR NO KEY UPDATE`,
    [currentOrganization(), userIds],
  );
  for (const { profile } of profiles) {
    const { phone_number = null, elsewhere = true } = numbers.get(profile.user_id) ?? {};
    people.set(profile.user_id, { ...profile, profile_id: profile.id, phone_number, elsewhere });
  }
  return people;
}

const NAMES = PROFILE_FIELDS.join(', ');

/** Writes the edits of locked people; each person may have one edit. */
export async function editPeople(edits: readonly PersonEdit[]): Promise<void> {
  const phoneEdits = edits.filter(({ fields }) => 'phone_number' in fields);
  if (phoneEdits.length > 0)
    await setPhoneNumbers(
      phoneEdits.map(({ userId, fields }) => ({ id: userId, phone_number: fields.phone_number ?? null })),
    );
  const profileEdits = edits.filter(({ fields }) => PROFILE_FIELDS.some((field) => field in fields));
  if (profileEdits.length === 0) return;
  await rows(
    `UPDATE member_profiles p SET (${NAMES}) = (SELECT ${NAMES} FROM jsonb_populate_record(p, e.fields))
       FROM jsonb_to_recordset($2) AS e (user_id uuid, fields jsonb) WHERE p.organization_id = $1 AND p.user_id = e.user_id`,
    [currentOrganization(), JSON.stringify(profileEdits.map(({ userId, fields }) => ({ user_id: userId, fields })))],
  );
}

/**
 * Returns the audit log entries of an edit: one for the profile and one for the account, like those of direct edits.
 */
export function auditEntriesOf({ userId, fields }: PersonEdit, current: LockedPerson, importId: string) {
  const entry = (subjectType: string, subjectId: string, names: PersonField[]) => ({
    action: `${subjectType}.updated`,
    subjectType,
    subjectId,
    person: { userId },
    before: Object.fromEntries(names.map((field) => [field, current[field]])),
    after: { ...Object.fromEntries(names.map((field) => [field, fields[field] ?? null])), import_id: importId },
  });
  const names = PERSON_FIELDS.filter((field) => field in fields);
  const profile = names.filter((field) => field !== 'phone_number');
  return [
    ...(profile.length > 0 ? [entry('member_profile', current.profile_id, profile)] : []),
    ...(profile.length < names.length ? [entry('user', userId, ['phone_number'])] : []),
  ];
}
