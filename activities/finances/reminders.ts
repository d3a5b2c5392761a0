/** Steps of reminding payers. Each step reads its remaining work from the rows. */
import { inTenant } from '../../models/database/tenancy.js';
import { organizationsToRemind } from '../../models/finances/reminders/organizationsToRemind.js';
import { readReminderMails } from '../../models/finances/reminders/readReminderMails.js';
import { remindBatch } from '../../models/finances/reminders/remindPayers.js';
import { notifyLateInstallments } from '../../models/finances/reminders/notifyLateInstallments.js';
import type { OrganizationBatch } from '../../models/organizations/organizationsByDay.js';
import type { InvoiceRemindersInput } from '../../workflows/contracts/invoiceReminders.js';

/**
 * Lists organizations, after the cursor `after`, whose payers need a reminder, or whose administrators need a reminder
 * of late installments.
 */
export const listOrganizationsToRemind = (after: string | null): Promise<OrganizationBatch> =>
  organizationsToRemind(after);

/** Approximate maximum of payers per step, so that other organizations get their turn. */
const MAX_PAYERS_PER_STEP = 10_000;

/**
 * Claims the reminders for the next payers, one batch per transaction. After the last batch, also notifies of late
 * installments.
 * @returns the number of payers
 */
export const claimNextReminders = async ({ organizationId, day }: InvoiceRemindersInput): Promise<number> => {
  let payers = 0;
  let last: string | null = null;
  do {
    const batch = await inTenant(organizationId, () => remindBatch(day, last));
    payers += batch.payers;
    last = batch.last;
  } while (last && payers < MAX_PAYERS_PER_STEP);
  if (payers === 0) await inTenant(organizationId, () => notifyLateInstallments(day));
  return payers;
};

/** Returns how many of this day's reminder mails are not sent yet. */
export const lookAtReminders = async ({ organizationId, day }: InvoiceRemindersInput): Promise<number> => {
  const { waiting } = await inTenant(organizationId, () => readReminderMails(day), { readOnly: true });
  return waiting;
};
