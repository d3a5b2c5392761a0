/** Steps of reminding payers. Each finds its remaining work from the rows. */
import { inTenant } from '../../models/database/tenancy.js';
import { organizationsToRemind } from '../../models/finances/reminders/organizationsToRemind.js';
import { readReminderMails } from '../../models/finances/reminders/readReminderMails.js';
import { remindToday } from '../../models/finances/reminders/remindPayers.js';
import { tellOfLateRows } from '../../models/finances/reminders/tellOfLateRows.js';
import type { OrganizationPage } from '../../models/organizations/organizationsByDay.js';
import type { InvoiceRemindersInput } from '../../workflows/contracts/invoiceReminders.js';

/**
 * Organizations after `after` whose payers need a reminder, or whose administrators need one of late installments.
 */
export const listOrganizationsToRemind = (after: string | null): Promise<OrganizationPage> =>
  organizationsToRemind(after);

/** Approximate number of payers per step; other organizations have a turn after it. */
const STEP = 10_000;

/**
 * Claims the reminders of the next payers, one batch per transaction; after the last batch, also notifies of late
 * installments. @returns the number of payers
 */
export const claimNextReminders = async ({ organizationId, day }: InvoiceRemindersInput): Promise<number> => {
  let payers = 0;
  let last: string | null = null;
  do {
    const page = await inTenant(organizationId, () => remindToday(day, last));
    payers += page.payers;
    last = page.last;
  } while (last && payers < STEP);
  if (payers === 0) await inTenant(organizationId, () => tellOfLateRows(day));
  return payers;
};

/** @returns how many of this day's reminder mails are not sent yet */
export const lookAtReminders = async ({ organizationId, day }: InvoiceRemindersInput): Promise<number> => {
  const { waiting } = await inTenant(organizationId, () => readReminderMails(day), { readOnly: true });
  return waiting;
};
