import { createRow, editRow, lockForEdit, removeRow } from '../../database/model/change.js';
import { intakeErrors } from '../errors.js';
import { RecruitmentPeriod } from './RecruitmentPeriod.js';

interface Times {
  opens_at: string;
  closes_at: string;
}
interface PeriodTexts {
  name: string;
  closed_message?: string | null | undefined;
}

/**
 * Creates a recruitment period as a draft.
 * @returns its id
 * @throws Refusal duplicate, not_found
 */
export const createPeriod = async ({
  opens_at,
  closes_at,
  ...fields
}: Times & PeriodTexts & { term_id: string }): Promise<string> =>
  (await createRow(RecruitmentPeriod, { ...fields, opens_at: new Date(opens_at), closes_at: new Date(closes_at) })).id;

type Edit = { [Name in keyof (Times & PeriodTexts)]?: (Times & PeriodTexts)[Name] | undefined } & {
  version?: number | undefined;
};

/**
 * Edits a recruitment period.
 * @throws Refusal not_found, stale_version, validation_error
 */
export async function changePeriod(id: string, { opens_at, closes_at, ...edit }: Edit): Promise<void> {
  await editRow(await lockForEdit(RecruitmentPeriod, id), {
    ...edit,
    ...(opens_at !== undefined && { opens_at: new Date(opens_at) }),
    ...(closes_at !== undefined && { closes_at: new Date(closes_at) }),
  });
}

/**
 * Deletes a recruitment period that is still a draft. Periods that were ever active cannot be deleted, because
 * prospective members belong to them.
 * @throws Refusal not_found, period_not_draft
 */
export async function removePeriod(id: string): Promise<void> {
  if ((await lockForEdit(RecruitmentPeriod, id)).status !== 'draft') throw intakeErrors.period_not_draft();
  await removeRow(RecruitmentPeriod, id);
}
