/** What a person leaves behind in one organization (spec: States, Invoice, account deletion of the payer). */
import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { voidInvoice } from '../../finances/voidInvoice.js';
import { changeMembership, lockMembership } from '../../organizations/changeMembership.js';
import { declineForAddresses } from '../../organizations/invitations/declineInvitation.js';
import { changeOrganizationAdmin } from '../../organizations/admins.js';
import { changeRegionalAdmin } from '../../organizations/regionalAdmins.js';
import { verifiedAddresses } from '../emails/addresses.js';

/** The next organizations by id, suspended ones too. */
export async function organizationsAfter(after: string | null, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    'SELECT id FROM organizations WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
    [after, limit],
  );
  return found.map(({ id }) => id);
}

/**
 * Writes the name on all invoices of the person, voids those on which no money stands, ends memberships and offices, and
 * declines what their addresses are asked. The ledger stays as it is. A second run finds nothing to do.
 * @throws Refusal last_admin when the organization would be left without one
 */
export async function eraseInOrganization(userId: string): Promise<void> {
  const ids = async (table: string, condition: string): Promise<string[]> =>
    (
      await rows<{ id: string }>(
        `SELECT id FROM ${table} WHERE organization_id = $1 AND user_id = $2 AND ${condition} ORDER BY id`,
        [currentOrganization(), userId],
      )
    ).map(({ id }) => id);

  // First, in the order in which whoever accepts locks: what waits, then the account. Says nothing of whose account it is.
  await declineForAddresses(await provenAddresses(userId));
  const named = await nameInvoices(userId);
  const voided = await voidInvoices(userId);
  const memberships = await ids('memberships', "status <> 'inactive'");
  for (const id of memberships) await changeMembership(await lockMembership(id), { status: 'inactive' });
  const offices = await ids('organization_admins', 'is_active');
  for (const id of offices) await changeOrganizationAdmin(id, { is_active: false });
  const regions = await ids('regional_admins', 'is_active');
  for (const id of regions) await changeRegionalAdmin(id, { is_active: false });
  if (named + voided + memberships.length + offices.length + regions.length === 0) return;
  await audit({
    action: 'account.deleted',
    subjectType: 'user',
    subjectId: userId,
    after: { named_invoices: named, voided_invoices: voided },
  });
}

/** None where somebody else gave the password: the mailbox may be another person's. */
async function provenAddresses(userId: string): Promise<string[]> {
  const given = await firstRow('SELECT FROM users WHERE id = $1 AND password_given_in IS NOT NULL', [userId]);
  return given ? [] : verifiedAddresses(userId);
}

async function nameInvoices(userId: string): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `WITH named AS (
       UPDATE chapter_invoices i SET payer_name = left(u.first_name || ' ' || u.last_name, 200)
         FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.user_id = $2 AND i.organization_id = $1 AND i.membership_id = m.id
          AND i.payer_name IS NULL RETURNING 1)
     SELECT count(*)::int AS count FROM named`,
    [currentOrganization(), userId],
  );
  return count;
}

async function voidInvoices(userId: string): Promise<number> {
  const unpaid = await rows<{ id: string }>(
    `SELECT i.id FROM chapter_invoices i JOIN memberships m ON m.organization_id = $1 AND m.id = i.membership_id
      WHERE i.organization_id = $1 AND m.user_id = $2 AND i.status IN ('open', 'overdue')
        AND i.paid_cents = i.overpaid_cents AND i.credit_cents = 0
      ORDER BY i.id FOR UPDATE OF i`,
    [currentOrganization(), userId],
  );
  for (const { id } of unpaid) await voidInvoice(id, 'The account of the payer was deleted.');
  return unpaid.length;
}
