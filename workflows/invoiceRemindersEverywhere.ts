import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/reminders.js';
import { invoiceReminders } from './contracts/invoiceReminders.js';
import { invoiceRemindersEverywhere as entry } from './contracts/invoiceRemindersEverywhere.js';
import { stagesOf } from './stage.js';
import { startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { listOrganizationsToRemind } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Starts the reminders of every organization where it is morning. Started by a Schedule. */
export async function invoiceRemindersEverywhere(after: string | null = null): Promise<'listed'> {
  stage('listing');
  const next = await startInEach(invoiceReminders, listOrganizationsToRemind, after);
  return next === null ? 'listed' : continueAsNew<typeof invoiceRemindersEverywhere>(next);
}
