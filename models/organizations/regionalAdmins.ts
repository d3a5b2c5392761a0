/** Who administers the tenant's regions. */
import { createRow, type Edit, editRow, lockRow, removeRow } from '../database/model/change.js';
import type { ShownRow } from '../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import { findPerson, type NamedAddress } from './invitations/findPerson.js';
import { invitationErrors } from './invitations/errors.js';
import { isPlaceholder } from '../identity/placeholders.js';
import { forgetUnlessNeeded } from './invitations/placeholders.js';
import { inviteAgain } from './invitations/inviteAgain.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { invitationOf, type InvitedPerson } from './invitations/invitationSql.js';
import { sendInvitation } from './invitations/sendInvitation.js';
import { tellPerson } from './invitations/tellPerson.js';
import { RegionalAdmin } from './RegionalAdmin.js';
import { tellOffice } from './tellOffice.js';
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

/**
 * Whoever is known here is an admin of the region at once, and told; anybody else when they accept the invitation.
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
  else await tellPerson(user_id, 'office_given', id, { regionId: region });
  return id;
}

/** Mails the invitation again. @throws Refusal not_found, already_invited, invitation_closed */
export async function inviteRegionalAdminAgain(id: string): Promise<void> {
  await lockRow(RegionalAdmin, id);
  await inviteAgain('regional_admin_id', id);
}

/** Takes an invitation back. @throws Refusal not_found; invitation_closed for somebody who has an account: deactivate them */
export async function withdrawRegionalAdmin(id: string): Promise<void> {
  const { user_id } = await lockRow(RegionalAdmin, id);
  if (!(await isPlaceholder(user_id))) throw invitationErrors.invitation_closed();
  await removeRow(RegionalAdmin, id, 'removed');
  await forgetUnlessNeeded(user_id);
}

/** @throws Refusal not_found, stale_version; invitation_open: nobody but the person makes it active */
export async function changeRegionalAdmin(id: string, edit: Edit<RegionalAdmin>): Promise<void> {
  const office = await lockRow(RegionalAdmin, id);
  await tellOffice(office, await editRow(office, edit));
}
