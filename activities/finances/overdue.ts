/** Steps of overdue marking. Each step reads its remaining work from the rows. */
import { inTenant } from '../../models/database/tenancy.js';
import { remindOfEvidence } from '../../models/finances/disputes/remindOfEvidence.js';
import { markInvoicesOverdue } from '../../models/finances/overdue/markInvoicesOverdue.js';
import { organizationsToMark } from '../../models/finances/overdue/organizationsToMark.js';
import type { OrganizationBatch } from '../../models/organizations/organizationsByDay.js';
import type { MarkOverdueInput } from '../../workflows/contracts/markOverdue.js';

/**
 * Lists organizations, after the cursor `after`, that have invoices to mark as overdue or disputes to send reminders
 * about. Each organization's own date decides what is due.
 */
export const listOrganizationsToMark = (after: string | null): Promise<OrganizationBatch> => organizationsToMark(after);

/**
 * Marks one batch of invoices, and sends reminders of disputes that need evidence.
 * @returns the number of invoices marked
 */
export const markNextOverduePage = async ({ organizationId, day }: MarkOverdueInput): Promise<number> => {
  const marked = await inTenant(organizationId, () => markInvoicesOverdue(day));
  await inTenant(organizationId, remindOfEvidence);
  return marked;
};
