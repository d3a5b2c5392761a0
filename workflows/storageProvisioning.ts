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
  // About ten minutes in all.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 15 },
});

const { failStorageProvisioning, stopStorageProvisioning } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

type Failure = Parameters<typeof failStorageProvisioning>[1];

/** Each step checks first what exists already, so a second run or another process continues from there. */
export async function storageProvisioning(input: StorageProvisioningInput): Promise<StorageProvisioningOutcome> {
  try {
    const failure = await carriedOut(input);
    if (failure !== null) await failStorageProvisioning(input, failure);
    const end = failure === null ? 'completed' : 'failed';
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopStorageProvisioning(input));
    throw error;
  }
}

async function carriedOut(input: StorageProvisioningInput): Promise<Failure | null> {
  try {
    stage('preparing');
    const refusedParts = await prepareStorage(input);
    if (refusedParts !== null) return refusedParts;
    stage('issuing_key');
    const refusedKey = await issueStorageKey(input);
    if (refusedKey !== null) return refusedKey;
    stage('trying');
    return await openStorage(input);
  } catch (error) {
    const tried = triedInVain(error);
    if (tried === null) throw error;
    return { problem: tried.type === 'StorageNotUsable' ? 'not_usable' : 'unavailable', answer: null };
  }
}

/** Null for errors that a retry cannot resolve, such as a deleted row. */
function triedInVain(error: unknown): { type: string | undefined | null } | null {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return null;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return { type: null };
  return cause.nonRetryable ? null : { type: cause.type };
}
