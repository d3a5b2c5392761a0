import { createRow, editRow, lockRow, removeRow } from '../../database/model/change.js';
import { intakeErrors } from '../errors.js';
import { RecruitmentPeriod } from './RecruitmentPeriod.js';

interface Times {
  opens_at: string;
  closes_at: string;
}
interface Named {
  name: string;
  closed_message?: string | null | undefined;
}

/** @returns its id @throws Refusal duplicate, not_found */
export const createPeriod = async ({
  opens_at,
  closes_at,
  ...given
}: Times & Named & { term_id: string }): Promise<string> =>
  (await createRow(RecruitmentPeriod, { ...given, opens_at: new Date(opens_at), closes_at: new Date(closes_at) })).id;

type Edit = { [Name in keyof (Times & Named)]?: (Times & Named)[Name] | undefined } & { version?: number | undefined };

/** @throws Refusal not_found, stale_version, validation_error */
export async function changePeriod(id: string, { opens_at, closes_at, ...edit }: Edit): Promise<void> {
  await editRow(await lockRow(RecruitmentPeriod, id), {
    ...edit,
    ...(opens_at !== undefined && { opens_at: new Date(opens_at) }),
    ...(closes_at !== undefined && { closes_at: new Date(closes_at) }),
  });
}

/** A draft alone: what was active has people. @throws Refusal not_found, period_not_draft */
export async function removePeriod(id: string): Promise<void> {
  if ((await lockRow(RecruitmentPeriod, id)).status !== 'draft') throw intakeErrors.period_not_draft();
  await removeRow(RecruitmentPeriod, id);
}
