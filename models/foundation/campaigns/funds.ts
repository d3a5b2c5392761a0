/**
 * Creates and changes funds, the purposes that gifts are for. One fund is the default, for campaigns that name none.
 */
import {
  createRow,
  type Edit,
  editRow,
  lockForEdit,
  lockForEditIfExists,
  type NewRow,
} from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { lockConfig } from '../config/readConfig.js';
import { Fund } from './Fund.js';

export type ShownFund = ShownRow<typeof Fund>;

/**
 * Creates a fund. If it is the default fund, the previous default fund no longer is.
 * @throws Refusal duplicate, validation_error
 */
export async function createFund(fund: NewRow<(typeof Fund)['definition']['columns']>): Promise<ShownFund> {
  if (fund.is_default) await clearDefault();
  const { id } = await createRow(Fund, fund);
  return readRow(Fund, id);
}

/** Changes a fund. @throws Refusal not_found, stale_version, duplicate, validation_error */
export async function changeFund(id: string, edit: Edit<Fund>): Promise<ShownFund> {
  if (edit.is_default) await clearDefault(id);
  await editRow(await lockForEdit(Fund, id), edit);
  return readRow(Fund, id);
}

/**
 * Makes the present default fund an ordinary fund. Locks the settings, so that if two funds become the default at the
 * same time, the later one remains.
 */
async function clearDefault(exceptId?: string): Promise<void> {
  await lockConfig();
  const former = await lockForEditIfExists(Fund, { is_default: true });
  if (former && former.id !== exceptId) await editRow(former, { is_default: false });
}
