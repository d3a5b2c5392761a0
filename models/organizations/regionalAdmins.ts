/** Administrators of the tenant's regions. */
import { createRow, type Edit, editRow, lockForEdit, removeRow } from '../database/model/change.js';
import type { ShownRow } from '../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import { findPerson, type NamedAddress } from './invitations/findPerson.js';
import { invitationErrors } from './invitations/errors.js';
import { isPlaceholder } from '../identity/placeholders.js';
import { erasePlaceholderUnlessNeeded } from './invitations/placeholders.js';
import { inviteAgain } from './invitations/inviteAgain.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { invitationOf, type InvitedPerson } from './invitations/invitationSql.js';
import { sendInvitation } from './invitations/sendInvitation.js';
import { notifyAddedPerson } from './invitations/notifyAddedPerson.js';
import { RegionalAdmin } from './RegionalAdmin.js';
import { notifyOfficeChange } from './notifyOfficeChange.js';
import type { RegionalRole } from './vocabulary.js';

export type RegionalAdminRow = ShownRow<typeof RegionalAdmin> & InvitedPerson;

const PERSON = 'JOIN users u ON u.id = a.user_id';
const COLUMNS = `a.id, a.user_id AS "user", a.region_id AS region, ${shownEmail('u')} AS email, u.first_name, u.last_name, a.role, a.title,
  a.is_active, ${invitationOf('a', 'regional_admin_id')}, a.version, a.created_at, a.updated_at`;

export interface RegionalAdminList extends PageRequest {
  region: string | undefined;
  isActive: boolean | undefined;
  orderBy: string;
}

/** Lists regional administrators in one statement. @throws Refusal page_not_found */
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

/**
 * Adds an administrator of a region. A person who already has, or had, a membership or office in the tenant is active
 * at once and is notified. Anybody else becomes active when they accept the invitation.
 * @returns the office's id
 * @throws Refusal regional_admin_exists, validation_error for an unknown region
 */
export async function inviteRegionalAdmin({
  region,
  role,
  title,
  ...person
}: RegionalAdminInvitation): Promise<string> {
  const { userId: user_id, isPlaceholder } = await findPerson(person);
  const fields = { region_id: region, user_id, role, title: title ?? null, is_active: !isPlaceholder };
  const { id } = await createRow(RegionalAdmin, fields);
  if (isPlaceholder) await sendInvitation('regional_admin_id', id, user_id);
  else await notifyAddedPerson(user_id, 'office_given', id, { regionId: region });
  return id;
}

/** Mails the invitation again. @throws Refusal not_found, already_invited, invitation_closed */
export async function inviteRegionalAdminAgain(id: string): Promise<void> {
  await lockForEdit(RegionalAdmin, id);
  await inviteAgain('regional_admin_id', id);
}

/**
 * Withdraws an invitation. @throws Refusal not_found; invitation_closed for a person who has an account, whom an admin
 * deactivates instead
 */
export async function withdrawRegionalAdminInvitation(id: string): Promise<void> {
  const { user_id } = await lockForEdit(RegionalAdmin, id);
  if (!(await isPlaceholder(user_id))) throw invitationErrors.invitation_closed();
  await removeRow(RegionalAdmin, id, 'removed');
  await erasePlaceholderUnlessNeeded(user_id);
}

/**
 * Changes a regional administrator's office.
 * @throws Refusal not_found, stale_version; invitation_open when the person has not accepted, because only acceptance
 * activates the office
 */
export async function changeRegionalAdmin(id: string, edit: Edit<RegionalAdmin>): Promise<void> {
  const office = await lockForEdit(RegionalAdmin, id);
  await notifyOfficeChange(office, await editRow(office, edit));
}
