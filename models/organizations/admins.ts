/** Administrators of the tenant. At least one of them stays active. */
import { createRow, type Edit, editRow, lockForEdit, removeRow } from '../database/model/change.js';
import type { ShownRow } from '../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import { notify } from '../notifications/notify.js';
import { findPerson, type NamedAddress } from './invitations/findPerson.js';
import { erasePlaceholderUnlessNeeded } from './invitations/placeholders.js';
import { inviteAgain } from './invitations/inviteAgain.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { invitationOf, type InvitedPerson } from './invitations/invitationSql.js';
import { sendInvitation } from './invitations/sendInvitation.js';
import { notifyAddedPerson } from './invitations/notifyAddedPerson.js';
import { notifications } from './notifications.js';
import { OrganizationAdmin } from './OrganizationAdmin.js';
import { notifyOfficeChange } from './notifyOfficeChange.js';

export type OrganizationAdminRow = ShownRow<typeof OrganizationAdmin> & InvitedPerson;

const PERSON = 'JOIN users u ON u.id = a.user_id';
const COLUMNS = `a.id, a.user_id AS "user", ${shownEmail('u')} AS email, u.first_name, u.last_name, a.title, a.is_active,
  ${invitationOf('a', 'organization_admin_id')}, a.version, a.created_at, a.updated_at`;

export interface OrganizationAdminList extends PageRequest {
  isActive: boolean | undefined;
  orderBy: string;
}

/** Lists the administrators in one statement. @throws Refusal page_not_found */
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

/**
 * Adds an administrator. A person who already has, or had, a membership or office in the tenant is active at once and
 * is notified. Anybody else becomes active when they accept the invitation.
 * @returns the office's id
 * @throws Refusal admin_exists
 */
export async function inviteOrganizationAdmin({
  title,
  ...person
}: NamedAddress & { title?: string | null | undefined }) {
  const { userId: user_id, isPlaceholder } = await findPerson(person);
  const fields = { user_id, title: title ?? null, is_active: !isPlaceholder };
  const { id } = await createRow(OrganizationAdmin, fields);
  if (isPlaceholder) await sendInvitation('organization_admin_id', id, user_id);
  else await notifyAddedPerson(user_id, 'office_given', id);
  return id;
}

/** Mails the invitation again. @throws Refusal not_found, already_invited, invitation_closed */
export async function inviteOrganizationAdminAgain(id: string): Promise<void> {
  await lockForEdit(OrganizationAdmin, id);
  await inviteAgain('organization_admin_id', id);
}

/**
 * Changes an administrator's office.
 * @throws Refusal not_found, stale_version, last_admin; invitation_open if the person has not accepted the invitation
 * yet, because only acceptance activates the office
 */
export async function changeOrganizationAdmin(id: string, edit: Edit<OrganizationAdmin>) {
  const office = await lockForEdit(OrganizationAdmin, id);
  await notifyOfficeChange(office, await editRow(office, edit));
}

/** Removes an administrator, or withdraws their invitation. @throws Refusal not_found, last_admin */
export async function removeOrganizationAdmin(id: string): Promise<void> {
  const removed = await removeRow(OrganizationAdmin, id, 'removed');
  if (removed.is_active) await notify(notifications.office_ended, [id], { to: [removed.user_id] });
  await erasePlaceholderUnlessNeeded(removed.user_id);
}
