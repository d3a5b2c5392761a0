import { audit } from '../../database/audit.js';
import { createRow, editRow, lockForEditIfExists, requireVersion } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { refuse } from '../../errors.js';
import { MemberDemographics } from './MemberDemographics.js';

const FIELDS = ['ethnicity', 'gender', 'pronouns', 'first_generation'] as const;

export interface Demographics {
  user: string;
  ethnicity: string | null;
  gender: string | null;
  pronouns: string | null;
  first_generation: boolean | null;
  /** Version of the row; 0 if no demographics were ever entered. */
  version: number;
}

const EMPTY_DEMOGRAPHICS = { ethnicity: null, gender: null, pronouns: null, first_generation: null, version: 0 };

export async function readDemographics(userId: string): Promise<Demographics> {
  const row = await findRow(MemberDemographics, { user_id: userId });
  if (!row) return { user: userId, ...EMPTY_DEMOGRAPHICS };
  const { user, ethnicity, gender, pronouns, first_generation, version } = row;
  return { user, ethnicity, gender, pronouns, first_generation, version };
}

/** Records in the audit log that another person read the demographics. */
export const auditDemographicsRead = (userId: string): Promise<void> =>
  audit({
    action: 'member_demographics.read',
    subjectType: 'user',
    subjectId: userId,
    person: { userId },
    after: { fields: FIELDS },
  });

export type DemographicsEdit = { [Name in (typeof FIELDS)[number]]?: Demographics[Name] | undefined } & {
  version?: number | undefined;
};

/**
 * Changes a person's demographics.
 * @throws Refusal stale_version
 */
export async function changeDemographics(userId: string, { version, ...edit }: DemographicsEdit): Promise<void> {
  const row = await lockForEditIfExists(MemberDemographics, { user_id: userId });
  if (row) {
    requireVersion(row, version);
    await editRow(row, edit);
    return;
  }
  if (version !== undefined && version !== 0) throw refuse.stale_version();
  await createRow(MemberDemographics, { user_id: userId, ...edit });
}

/** SQL: whether the ethnicity in the demographics `d` is empty. */
export const NO_ETHNICITY = `coalesce(btrim(d.ethnicity), '') = ''`;

/**
 * SQL that fills an empty ethnicity. Like the parts in `lifecycle/carryForward.ts`, it becomes a part of a larger
 * statement.
 */
export const FILL_ETHNICITY = `
  INSERT INTO member_demographics AS d (organization_id, user_id, ethnicity)
  SELECT $1, $2, given.ethnicity FROM given WHERE given.ethnicity IS NOT NULL
  ON CONFLICT ON CONSTRAINT member_demographics_person DO UPDATE SET ethnicity = excluded.ethnicity WHERE ${NO_ETHNICITY}
  RETURNING ARRAY['ethnicity'] AS fields`;
