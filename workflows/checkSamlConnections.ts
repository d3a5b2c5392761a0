import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/identity/samlConnections.js';
import { checkSamlConnections as entry } from './contracts/checkSamlConnections.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const BATCHES_PER_RUN = 20;

const { listSamlConnections, checkSamlConnection } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Checks every SAML connection once: its metadata URL and the expiry of its certificates. Started by a Schedule. */
export async function checkSamlConnections(after: string | null = null): Promise<'checked'> {
  stage('checking');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    const { connections, next } = await listSamlConnections(cursor);
    // A provider that does not answer is not a failed step and delays no other connection.
    await Promise.all(connections.map((connection) => checkSamlConnection(connection)));
    if (next === null) {
      stage('checked');
      return 'checked';
    }
    cursor = next;
  }
  return continueAsNew<typeof checkSamlConnections>(cursor);
}
