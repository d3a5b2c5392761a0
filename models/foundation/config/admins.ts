/** Lists and changes the people who run the tenant's foundation: its admins and editors. */
import { shownEmail } from '../../identity/deletion/erased.js';
import { enqueueNoticeToPeople } from '../../identity/notices/enqueueNoticeToPeople.js';
import type { NoticeKind } from '../../identity/notices/noticeText.js';
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, lockForEdit, removeRow } from '../../database/model/change.js';
import type { ShownRow } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, oneRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { requireAccess } from './access.js';
import { FoundationAdmin, type FoundationRole } from './FoundationAdmin.js';
import { lockConfig, readConfig } from './readConfig.js';

/** A person of the foundation, as shown to people. */
export interface FoundationPerson extends ShownRow<typeof FoundationAdmin> {
  email: string | null;
  first_name: string;
  last_name: string;
  /** False for a person who may no longer sign in to the organization; their role does not count. */
  has_access: boolean;
}

const PERSON = 'JOIN users u ON u.id = a.user_id';
const COLUMNS = `a.id, a.user_id AS "user", ${shownEmail('u')} AS email, u.first_name, u.last_name, a.role,
  u.disabled_at IS NULL AND EXISTS (SELECT FROM affiliations f
    WHERE f.user_id = a.user_id AND f.organization_id = a.organization_id) AS has_access,
  a.version, a.created_at, a.updated_at`;

/** Lists the people in one statement, by name. @throws Refusal page_not_found, foundation_not_configured */
export async function listFoundationPeople(page: PageRequest): Promise<Page<FoundationPerson>> {
  await readConfig();
  return selectPage<FoundationPerson>({
    from: `foundation_admins a ${PERSON}`,
    where: 'a.organization_id = $1',
    values: [currentOrganization()],
    orderBy: `(u.last_name || ' ' || u.first_name)`,
    key: 'a.id',
    select: COLUMNS,
    join: PERSON,
    ...page,
  });
}

const readFoundationPerson = async (id: string): Promise<FoundationPerson> =>
  requireFound(
    await firstJson<FoundationPerson>(
      `SELECT ${COLUMNS} FROM foundation_admins a ${PERSON} WHERE a.organization_id = $1 AND a.id = $2`,
      [currentOrganization(), id],
    ),
  );

/**
 * Gives a person a role in the foundation. @throws Refusal foundation_not_configured, not_in_organization, duplicate
 */
export async function appointFoundationPerson(userId: string, role: FoundationRole): Promise<FoundationPerson> {
  const { id: foundationId } = await lockConfig();
  await requireAccess(userId);
  const { id } = await createRow(FoundationAdmin, { foundation_id: foundationId, user_id: userId, role });
  await notifyOfPerson('foundation_role_given', userId, role);
  return readFoundationPerson(id);
}

/** Changes a role. @throws Refusal not_found, stale_version, not_in_organization, last_foundation_admin */
export async function changeFoundationPerson(
  id: string,
  edit: { role?: FoundationRole | undefined; version?: number | undefined },
): Promise<FoundationPerson> {
  const person = await lockForEdit(FoundationAdmin, id);
  if (edit.role === 'admin') await requireAccess(person.user_id);
  const changed = await editRow(person, edit);
  if (changed.length > 0) await notifyOfPerson('foundation_role_changed', person.user_id, person.role);
  return readFoundationPerson(id);
}

/** Takes a role away. @throws Refusal not_found, last_foundation_admin */
export async function removeFoundationPerson(id: string): Promise<void> {
  const { user_id, role } = await removeRow(FoundationAdmin, id);
  await notifyOfPerson('foundation_role_ended', user_id, role);
}

/** Mails the change to the person and to the other admins of the foundation, except to the acting one. */
async function notifyOfPerson(
  kind: Extract<NoticeKind, `foundation_role_${string}`>,
  userId: string,
  role: FoundationRole,
): Promise<void> {
  const { name } = await oneRow<{ name: string }>(
    `SELECT first_name || ' ' || last_name AS name FROM users WHERE id = $1`,
    [userId],
  );
  const recipients = await rows<{ user_id: string }>(
    `SELECT user_id FROM app.active_foundation_admins($1) UNION SELECT id FROM users WHERE id = $2 AND disabled_at IS NULL
      ORDER BY user_id`,
    [currentOrganization(), userId],
  );
  const others = recipients.map(({ user_id }) => user_id).filter((id) => id !== currentScope().origin.userId);
  await enqueueNoticeToPeople(kind, { person: name, role }, others);
}
