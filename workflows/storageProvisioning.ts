import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type * as steps from '../activities/organizations/storageProvisioning.js';
import {
  storageProvisioning as entry,
  type StorageProvisioningInput,
  type StorageProvisioningOutcome,
} from './contracts/storageProvisioning.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { prepareStorage, issueStorageKey, openStorage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  // The retries take about ten minutes in all.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 15 },
});

const { failStorageProvisioning, stopStorageProvisioning } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

type Failure = Parameters<typeof failStorageProvisioning>[1];

/**
 * Provisions an organization's own store. Each step first checks what already exists, so that a second run, or another
 * process, continues where the first one stopped.
 */
export async function storageProvisioning(input: StorageProvisioningInput): Promise<StorageProvisioningOutcome> {
  try {
    const failure = await runSteps(input);
    if (failure !== null) await failStorageProvisioning(input, failure);
    const end = failure === null ? 'completed' : 'failed';
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopStorageProvisioning(input));
    throw error;
  }
}

async function runSteps(input: StorageProvisioningInput): Promise<Failure | null> {
  try {
    stage('preparing');
    const partsFailure = await prepareStorage(input);
    if (partsFailure !== null) return partsFailure;
    stage('issuing_key');
    const keyFailure = await issueStorageKey(input);
    if (keyFailure !== null) return keyFailure;
    stage('trying');
    return await openStorage(input);
  } catch (error) {
    const exhausted = exhaustedRetries(error);
    if (exhausted === null) throw error;
    return { problem: exhausted.type === 'StorageNotUsable' ? 'not_usable' : 'unavailable', answer: null };
  }
}

/**
 * Returns the error type of a step whose retries are exhausted; null for errors that a retry cannot resolve, such as a
 * deleted row.
 */
function exhaustedRetries(error: unknown): { type: string | undefined | null } | null {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return null;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return { type: null };
  return cause.nonRetryable ? null : { type: cause.type };
}
