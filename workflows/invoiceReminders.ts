import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/finances/reminders.js';
import {
  invoiceReminders as entry,
  invoiceRemindersEverywhere as schedule,
  type InvoiceRemindersInput,
} from './contracts/invoiceReminders.js';
import { stagesOf } from './stage.js';
import { LIST_OPTIONS, startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { claimNextReminders, lookAtReminders } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const FIRST_CHECK_SECONDS = 5;
const MAX_WAIT_SECONDS = 600;

/** Claims one organization's reminders of a day, then waits until each mail has its outcome. */
export async function invoiceReminders(input: InvoiceRemindersInput): Promise<'mailed'> {
  stage('claiming');
  while ((await claimNextReminders(input)) > 0) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof invoiceReminders>(input);
  }
  stage('mailing');
  for (let seconds = FIRST_CHECK_SECONDS; (await lookAtReminders(input)) > 0; ) {
    await sleep(`${seconds} seconds`);
    seconds = Math.min(seconds * 2, MAX_WAIT_SECONDS);
  }
  stage('mailed');
  return 'mailed';
}

const { listOrganizationsToRemind } = proxyActivities<typeof steps>(LIST_OPTIONS);

/** Starts the reminders of every organization in which it is past 9:00 local time. Started by a Schedule. */
export const invoiceRemindersEverywhere = (after: string | null = null): Promise<'listed'> =>
  startInEach(schedule, entry, listOrganizationsToRemind, after);
