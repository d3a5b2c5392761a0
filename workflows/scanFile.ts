import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/scanFiles.js';
import { scanFile as entry, type ScanFileInput, type ScanFileOutcome } from './contracts/scanFile.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// No limit of attempts: a file that was not declared clean is read by nobody.
const { scanStoredFile } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Asks the scanner until it has answered. */
export async function scanFile(input: ScanFileInput): Promise<ScanFileOutcome> {
  stage('checking');
  const end = await scanStoredFile(input);
  stage(end);
  return end;
}
