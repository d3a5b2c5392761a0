import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/imports.js';
import { importStep as entry, type ImportStepInput, type ImportStepOutcome } from './contracts/importStep.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Number of batches until the workflow continues as new, so that the history of a run stays short. */
const BATCHES_PER_RUN = 100;

const { readImport, takeLines, finishImportStep } = proxyActivities<typeof steps>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Runs one step of an import. The rows of the lines record which lines are done, so no cursor is needed. */
export async function importStep(input: ImportStepInput): Promise<ImportStepOutcome> {
  if (input.step === 'read') {
    stage('reading');
    await readImport(input);
  } else {
    stage('working');
    for (let batches = 0; await takeLines(input); ) {
      batches += 1;
      if (batches >= BATCHES_PER_RUN) await continueAsNew<typeof importStep>(input);
    }
  }
  stage('finishing');
  // Workflows that began before this activity returned an outcome have no value here.
  const end = (await finishImportStep(input)) ?? 'done';
  stage(end);
  return end;
}
