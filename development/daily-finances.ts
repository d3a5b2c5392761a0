/**
 * daily-finances --organization <id> --today <date>: what the schedules do for one organization in a day, as if it were that
 * day: past-due invoices are marked, payers reminded, administrators told of late instalments. Development only.
 */
import { config } from '../config.js';
import { readCommandLine } from '../bin/commandLine.js';
import { complain } from '../bin/complain.js';
import { sequelize } from '../models/database/connection.js';
import { inTenant } from '../models/database/tenancy.js';
import { day, recordId } from '../models/fields.js';
import { markInvoicesOverdue } from '../models/finances/overdue/markInvoicesOverdue.js';
import { remindPayers } from '../models/finances/reminders/remindPayers.js';
import { tellOfLateRows } from '../models/finances/reminders/tellOfLateRows.js';
import '../models/areas.js';

const USAGE = 'daily-finances --organization <id> --today <YYYY-MM-DD>';

/** Runs a step until nothing is left. @returns how much it did in all */
async function all(organizationId: string, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (let some; (some = await inTenant(organizationId, step)) > 0; ) done += some;
  return done;
}

async function main(): Promise<void> {
  if (config.production) throw new Error('daily-finances is for development: in production the schedules do this.');
  const given = readCommandLine(USAGE, { organization: { type: 'string' }, today: { type: 'string' } });
  const organization = recordId.safeParse(given.organization);
  const today = day.safeParse(given.today);
  if (!organization.success || !today.success) throw new Error(`Usage: ${USAGE}`);
  const marked = await all(organization.data, () => markInvoicesOverdue(today.data, true));
  const reminded = await all(organization.data, () => remindPayers(today.data));
  await inTenant(organization.data, () => tellOfLateRows(today.data));
  console.log(`${today.data}: ${marked} invoices marked overdue, ${reminded} payers reminded.`);
  await sequelize.close();
}

main().catch(complain);
