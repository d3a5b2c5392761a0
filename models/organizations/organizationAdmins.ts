/** Who administers the tenant. One of them always stays active. */
import { audit } from '../database/audit.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import './errors.js';
import { createRow, type Edit, editRow, lockRow } from './editRow.js';
import { findOrCreatePerson, type NamedAddress } from './findOrCreatePerson.js';
import { OrganizationAdmin } from './OrganizationAdmin.js';

export interface OrganizationAdminRow {
  id: string;
  user: string;
  email: string;
  first_name: string;
  last_name: string;
  title: string | null;
  is_active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

const PERSON = 'JOIN users u ON u.id = a.user_id';
const COLUMNS = `a.id, a.user_id AS "user", u.email, u.first_name, u.last_name, a.title, a.is_active, a.version,
  a.created_at, a.updated_at`;

export interface OrganizationAdminList extends PageRequest {
  isActive: boolean | undefined;
  orderBy: string;
}

/** In one statement. @throws Refusal page_not_found */
export const listOrganizationAdmins = ({
  isActive,
  ...list
}: OrganizationAdminList): Promise<Page<OrganizationAdminRow>> =>
  selectPage<OrganizationAdminRow>({
    from: `organization_admins a ${PERSON}`,
    where: 'a.organization_id = $1 AND ($2::boolean IS NULL OR a.is_active = $2)',
    values: [currentOrganization(), isActive ?? null],
    key: 'a.id',
    select: COLUMNS,
    join: PERSON,
    ...list,
  });

export const readOrganizationAdmin = (id: string): Promise<OrganizationAdminRow | null> =>
  firstJson<OrganizationAdminRow>(
    `SELECT ${COLUMNS} FROM organization_admins a ${PERSON} WHERE a.organization_id = $1 AND a.id = $2`,
    [currentOrganization(), id],
  );

/** Makes a person an admin, an account without a password where there was none. @throws Refusal admin_exists */
export async function inviteOrganizationAdmin({
  title,
  ...person
}: NamedAddress & { title?: string | null | undefined }) {
  const user_id = await findOrCreatePerson(person);
  return createRow(OrganizationAdmin, 'organization_admin', { user_id, title: title ?? null });
}

/** @throws Refusal not_found, stale_version, last_admin */
export async function changeOrganizationAdmin(id: string, edit: Edit<{ title: string | null; is_active: boolean }>) {
  await editRow(await lockRow(OrganizationAdmin, id), 'organization_admin', edit);
}

/** @throws Refusal not_found, last_admin */
export async function removeOrganizationAdmin(id: string): Promise<void> {
  const admin = await lockRow(OrganizationAdmin, id);
  await admin.destroy();
  const { user_id, title, is_active } = admin;
  await audit({
    action: 'organization_admin.removed',
    subjectType: 'organization_admin',
    subjectId: id,
    before: { user_id, title, is_active },
  });
}
