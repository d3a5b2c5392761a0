import { audit } from '../../database/audit.js';
import { createRow, editRow, lockIfThere, requireVersion } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { MemberDemographics } from './MemberDemographics.js';

const FIELDS = ['ethnicity', 'gender', 'pronouns', 'first_generation'] as const;

export interface Demographics {
  user: string;
  ethnicity: string | null;
  gender: string | null;
  pronouns: string | null;
  first_generation: boolean | null;
  /** 0 where nothing was ever said. */
  version: number;
}

const SAID_NOTHING = { ethnicity: null, gender: null, pronouns: null, first_generation: null, version: 0 };

export async function readDemographics(userId: string): Promise<Demographics> {
  const found = await findRow(MemberDemographics, { user_id: userId });
  if (!found) return { user: userId, ...SAID_NOTHING };
  const { user, ethnicity, gender, pronouns, first_generation, version } = found;
  return { user, ethnicity, gender, pronouns, first_generation, version };
}

/** Somebody else reads them: the log says who, and when, of whom. */
export const noteReading = (userId: string): Promise<void> =>
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

/** @throws Refusal stale_version */
export async function changeDemographics(userId: string, { version, ...edit }: DemographicsEdit): Promise<void> {
  const row = await lockIfThere(MemberDemographics, { user_id: userId });
  if (row) {
    requireVersion(row, version);
    await editRow(row, edit);
    return;
  }
  if (version !== undefined && version !== 0) throw refuse.stale_version();
  await createRow(MemberDemographics, { user_id: userId, ...edit });
}

/** As `carryForward.ts` does it: where nothing stands, and once. @returns whether it was written */
export const fillEthnicity = async (userId: string, ethnicity: string): Promise<boolean> =>
  (
    await rows(
      `INSERT INTO member_demographics AS d (organization_id, user_id, ethnicity) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT member_demographics_person DO UPDATE SET ethnicity = excluded.ethnicity
         WHERE coalesce(btrim(d.ethnicity), '') = '' RETURNING id`,
      [currentOrganization(), userId, ethnicity],
    )
  ).length > 0;
