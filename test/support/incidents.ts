/** The list of stuck processes, in tests. */
import {
  findAgedProcesses,
  findLostProcesses,
  notifyOfStuckPayments,
  reviewIncidents,
} from '../../activities/processIncidents.js';
import { asOwner } from './owner.js';

/** Runs the steps of the check that a Schedule starts each minute. */
export async function checkIncidents(): Promise<void> {
  await reviewIncidents(null);
  await findAgedProcesses();
  await findLostProcesses(null);
  await notifyOfStuckPayments();
}

/** Lists the stuck processes of an organization by workflow id, each with the reason. */
export const incidentsOf = (organizationId: string) =>
  asOwner<{ workflow_id: string; reason: string }>(
    'SELECT workflow_id, reason FROM process_incidents WHERE organization_id = $1 ORDER BY workflow_id',
    [organizationId],
  );
