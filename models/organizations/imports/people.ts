/** What a person has beside memberships, however many: a telephone number and a profile. Read and changed in sets. */
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

/** Accounts, then profiles, each in the order of their people. Who was erased has no profile, and is left out. */
export async function lockPeople(userIds: readonly string[]): Promise<Map<string, LockedPerson>> {
  const people = new Map<string, LockedPerson>();
  if (userIds.length === 0) return people;
  const numbers = new Map<string, PhoneNumber>((await lockPhoneNumbers(userIds)).map((one) => [one.id, one]));
  const profiles = await rows<{ said: PersonValues & { id: string; user_id: string } }>(
    `SELECT to_jsonb(p) AS said FROM member_profiles p WHERE organization_id = $1 AND user_id = ANY ($2)
      ORDER BY user_id FOR NO KEY UPDATE`,
    [currentOrganization(), userIds],
  );
  for (const { said } of profiles) {
    const { phone_number = null, elsewhere = true } = numbers.get(said.user_id) ?? {};
    people.set(said.user_id, { ...said, profile_id: said.id, phone_number, elsewhere });
  }
  return people;
}

const NAMES = PROFILE_FIELDS.join(', ');

/** Of people who are locked, each once. */
export async function editPeople(edits: readonly PersonEdit[]): Promise<void> {
  const called = edits.filter(({ fields }) => 'phone_number' in fields);
  if (called.length > 0)
    await setPhoneNumbers(
      called.map(({ userId, fields }) => ({ id: userId, phone_number: fields.phone_number ?? null })),
    );
  const described = edits.filter(({ fields }) => PROFILE_FIELDS.some((field) => field in fields));
  if (described.length === 0) return;
  await rows(
    `UPDATE member_profiles p SET (${NAMES}) = (SELECT ${NAMES} FROM jsonb_populate_record(p, e.fields))
       FROM jsonb_to_recordset($2) AS e (user_id uuid, fields jsonb) WHERE p.organization_id = $1 AND p.user_id = e.user_id`,
    [currentOrganization(), JSON.stringify(described.map(({ userId, fields }) => ({ user_id: userId, fields })))],
  );
}

/** One entry for the profile and one for the account, as whoever edits one of them leaves. */
export function entriesOf({ userId, fields }: PersonEdit, is: LockedPerson, importId: string) {
  const entry = (subjectType: string, subjectId: string, names: PersonField[]) => ({
    action: `${subjectType}.updated`,
    subjectType,
    subjectId,
    person: { userId },
    before: Object.fromEntries(names.map((field) => [field, is[field]])),
    after: { ...Object.fromEntries(names.map((field) => [field, fields[field] ?? null])), import_id: importId },
  });
  const names = PERSON_FIELDS.filter((field) => field in fields);
  const profile = names.filter((field) => field !== 'phone_number');
  return [
    ...(profile.length > 0 ? [entry('member_profile', is.profile_id, profile)] : []),
    ...(profile.length < names.length ? [entry('user', userId, ['phone_number'])] : []),
  ];
}
