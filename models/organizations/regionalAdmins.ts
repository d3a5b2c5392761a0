/** Who administers the tenant's regions. */
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import './errors.js';
import { createRow, type Edit, editRow, lockRow } from './editRow.js';
import { findOrCreatePerson, type NamedAddress } from './findOrCreatePerson.js';
import { RegionalAdmin } from './RegionalAdmin.js';
import type { RegionalRole } from './vocabulary.js';

export interface RegionalAdminRow {
  id: string;
  user: string;
  region: string;
  email: string;
  first_name: string;
  last_name: string;
  role: RegionalRole;
  title: string | null;
  is_active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

const PERSON = 'JOIN users u ON u.id = a.user_id';
const COLUMNS = `a.id, a.user_id AS "user", a.region_id AS region, u.email, u.first_name, u.last_name, a.role, a.title,
  a.is_active, a.version, a.created_at, a.updated_at`;

export interface RegionalAdminList extends PageRequest {
  region: string | undefined;
  isActive: boolean | undefined;
  orderBy: string;
}

/** In one statement. @throws Refusal page_not_found */
export const listRegionalAdmins = ({ region, isActive, ...list }: RegionalAdminList): Promise<Page<RegionalAdminRow>> =>
  selectPage<RegionalAdminRow>({
    from: `regional_admins a ${PERSON}`,
    where: `a.organization_id = $1 AND ($2::uuid IS NULL OR a.region_id = $2)
      AND ($3::boolean IS NULL OR a.is_active = $3)`,
    values: [currentOrganization(), region ?? null, isActive ?? null],
    key: 'a.id',
    select: COLUMNS,
    join: PERSON,
    ...list,
  });

export const readRegionalAdmin = (id: string): Promise<RegionalAdminRow | null> =>
  firstJson<RegionalAdminRow>(
    `SELECT ${COLUMNS} FROM regional_admins a ${PERSON} WHERE a.organization_id = $1 AND a.id = $2`,
    [currentOrganization(), id],
  );

export interface RegionalAdminInvitation extends NamedAddress {
  region: string;
  role: RegionalRole;
  title?: string | null | undefined;
}

/** Makes a person an admin of a region. @throws Refusal regional_admin_exists, validation_error for an unknown region */
export async function inviteRegionalAdmin({
  region,
  role,
  title,
  ...person
}: RegionalAdminInvitation): Promise<string> {
  const user_id = await findOrCreatePerson(person);
  return createRow(RegionalAdmin, 'regional_admin', { region_id: region, user_id, role, title: title ?? null });
}

export type RegionalAdminFields = Pick<RegionalAdmin, 'role' | 'title' | 'is_active'>;

/** @throws Refusal not_found, stale_version */
export async function changeRegionalAdmin(id: string, edit: Edit<RegionalAdminFields>): Promise<void> {
  await editRow(await lockRow(RegionalAdmin, id), 'regional_admin', edit);
}
