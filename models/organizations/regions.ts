/** Regions: listed whole, since an organization has few. */
import { currentOrganization, firstJson, rows } from '../database/rows.js';
import './errors.js';
import { createRow, type Edit, editRow, lockRow } from './editRow.js';
import { Region } from './Region.js';

export interface RegionRow {
  id: string;
  organization: string;
  name: string;
  states: string[];
  version: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `r.id, r.organization_id AS organization, r.name, r.states, r.version, r.created_at, r.updated_at`;

export type RegionFields = Pick<Region, 'name' | 'states'>;

/** All of them, by name. */
export async function listRegions(): Promise<RegionRow[]> {
  const found = await rows<{ row: RegionRow }>(
    `SELECT to_json(found) AS row FROM (
       SELECT ${COLUMNS} FROM regions r WHERE r.organization_id = $1 ORDER BY r.name, r.id) found`,
    [currentOrganization()],
  );
  return found.map(({ row }) => row);
}

export const readRegion = (id: string): Promise<RegionRow | null> =>
  firstJson<RegionRow>(`SELECT ${COLUMNS} FROM regions r WHERE r.organization_id = $1 AND r.id = $2`, [
    currentOrganization(),
    id,
  ]);

/** @returns the new region's id. @throws Refusal duplicate */
export const createRegion = (fields: RegionFields): Promise<string> => createRow(Region, 'region', fields);

/** @throws Refusal not_found, stale_version, duplicate */
export async function changeRegion(id: string, edit: Edit<RegionFields>): Promise<void> {
  await editRow(await lockRow(Region, id), 'region', edit);
}
