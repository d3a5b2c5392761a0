import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/drawDocument.js';
import { drawDocument as entry, type DrawDocumentInput, type DrawDocumentOutcome } from './contracts/drawDocument.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The sweep takes what is not whole within an hour for given up.
const { drawStoredDocument } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Draws a document; a try that fails is begun anew. */
export async function drawDocument(input: DrawDocumentInput): Promise<DrawDocumentOutcome> {
  stage('drawing');
  await drawStoredDocument(input);
  stage('drawn');
  return 'drawn';
}
