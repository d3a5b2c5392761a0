import { sqlStateOf } from '../database/constraints.js';
import { removeRow } from '../database/model/change.js';
import { organizationsErrors } from './errors.js';
import { Region } from './Region.js';

const FOREIGN_KEY_VIOLATION = '23503';

/** Deletes a region to which no present or past row refers. @throws Refusal not_found, region_in_use */
export async function removeRegion(id: string): Promise<void> {
  try {
    await removeRow(Region, id);
  } catch (error) {
    throw sqlStateOf(error) === FOREIGN_KEY_VIOLATION ? organizationsErrors.region_in_use() : error;
  }
}
