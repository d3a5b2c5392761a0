/**
 * daily-finances --organization <id> --today <date>: runs the daily schedules of one organization for the given day:
 * marks past-due invoices overdue, reminds payers, notifies administrators of late installments. Development only.
 */
import { config } from '../config.js';
import { readCommandLine } from '../bin/commandLine.js';
import { reportFailure } from '../bin/reportFailure.js';
import { sequelize } from '../models/database/connection.js';
import { inTenant } from '../models/database/tenancy.js';
import { day, recordId } from '../models/fields.js';
import { markInvoicesOverdue } from '../models/finances/overdue/markInvoicesOverdue.js';
import { remindPayers } from '../models/finances/reminders/remindPayers.js';
import { notifyLateInstallments } from '../models/finances/reminders/notifyLateInstallments.js';
import '../models/wireAreas.js';

const USAGE = 'daily-finances --organization <id> --today <YYYY-MM-DD>';

/**
 * Repeats a step, which handles some rows and returns their number, until it finds no more rows.
 * @returns the number of rows in all
 */
async function repeatUntilDone(organizationId: string, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (let some; (some = await inTenant(organizationId, step)) > 0; ) done += some;
  return done;
}

async function main(): Promise<void> {
  if (config.production) throw new Error('daily-finances is for development: in production the schedules do this.');
  const values = readCommandLine(USAGE, { organization: { type: 'string' }, today: { type: 'string' } });
  const organization = recordId.safeParse(values.organization);
  const today = day.safeParse(values.today);
  if (!organization.success || !today.success) throw new Error(`Usage: ${USAGE}`);
  const marked = await repeatUntilDone(organization.data, () => markInvoicesOverdue(today.data, true));
  const reminded = await repeatUntilDone(organization.data, () => remindPayers(today.data));
  await inTenant(organization.data, () => notifyLateInstallments(today.data));
  console.log(`${today.data}: ${marked} invoices marked overdue, ${reminded} payers reminded.`);
  await sequelize.close();
}

main().catch(reportFailure);
