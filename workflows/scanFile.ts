import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/scanFiles.js';
import { scanFile as entry, type ScanFileInput, type ScanFileOutcome } from './contracts/scanFile.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The attempts are unlimited: a file cannot be read until the scanner has declared it clean.
const { scanStoredFile } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Scans a file, and retries until the scanner answers. */
export async function scanFile(input: ScanFileInput): Promise<ScanFileOutcome> {
  stage('checking');
  const end = await scanStoredFile(input);
  stage(end);
  return end;
}
