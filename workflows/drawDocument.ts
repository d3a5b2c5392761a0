import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/drawDocument.js';
import { drawDocument as entry, type DrawDocumentInput, type DrawDocumentOutcome } from './contracts/drawDocument.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The time limit must be below one hour, because the cleanup schedule deletes files that are incomplete after an hour.
const { drawStoredDocument } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Renders a document. A failed attempt is repeated from the beginning. */
export async function drawDocument(input: DrawDocumentInput): Promise<DrawDocumentOutcome> {
  stage('drawing');
  await drawStoredDocument(input);
  stage('drawn');
  return 'drawn';
}
