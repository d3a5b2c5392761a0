/** The steps of reminding payers. Each finds out by itself what is left to do. */
import { inTenant } from '../../models/database/tenancy.js';
import { organizationsToRemind } from '../../models/finances/reminders/organizationsToRemind.js';
import { readReminderMails } from '../../models/finances/reminders/readReminderMails.js';
import { remindToday } from '../../models/finances/reminders/remindPayers.js';
import { tellOfLateRows } from '../../models/finances/reminders/tellOfLateRows.js';
import type { OrganizationPage } from '../../models/organizations/organizationsByDay.js';
import type { InvoiceRemindersInput } from '../../workflows/contracts/invoiceReminders.js';

/** The organizations after `after` whose payers are to be reminded, or whose administrators of late rows. */
export const listOrganizationsToRemind = (after: string | null): Promise<OrganizationPage> =>
  organizationsToRemind(after);

/** Payers of one step, more or less: others have a turn after it. */
const STEP = 10_000;

/** Claims the reminders of the next payers, a page a transaction; after the last one, tells of late rows, too. @returns how many payers */
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

/** @returns how many mails of this day's reminders are on their way */
export const lookAtReminders = async ({ organizationId, day }: InvoiceRemindersInput): Promise<number> => {
  const { waiting } = await inTenant(organizationId, () => readReminderMails(day), { readOnly: true });
  return waiting;
};
