import { withProvisioner } from '../../gateways/storage/provisioning/withProvisioner.js';
import {
  PARTS,
  type Provisioner,
  ProvisioningRefused,
  type UserKey,
} from '../../gateways/storage/provisioning/port.js';
import { tryStore } from '../../gateways/storage/tryStore.js';
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { testObjectKey } from '../../models/organizations/files/storedFiles.js';
import { saveProvisionedStore } from '../../models/organizations/storage-config/provisionedStore.js';
import {
  completeProvisioning,
  failProvisioning,
  readProvisionedLocation,
  readTask,
  stopProvisioning,
  type ProvisioningTask,
} from '../../models/organizations/storage-provisioning/provisioningSteps.js';
import type { ProvisioningFailure } from '../../models/organizations/storage-provisioning/StorageProvisioning.js';
import { provisioningSettings } from '../../models/organizations/storage-provisioning/bucketPlan.js';
import type { StorageProvisioningInput } from '../../workflows/contracts/storageProvisioning.js';
import { previousAttempts } from '../attempts.js';

/** Result of a step. Null: the step is complete, or the provisioning has ended. A failure: retrying cannot help. */
export type ProvisioningStep = ProvisioningFailure | null;

/** The store exists but lacks a capability that files need. */
class StorageNotUsable extends Error {
  override readonly name = 'StorageNotUsable';

  constructor(step: string, answer: string | null) {
    super(`The store cannot be used for files yet (${step}${answer === null ? '' : `, ${answer}`}).`);
  }
}

/** Number of failed attempts after which the step checks whether the provider still has the recorded key. */
const ATTEMPTS_PER_KEY = 4;

/**
 * Creates the bucket, user and policy if they are missing.
 * @throws ProvisioningUnavailable
 */
export const prepareStorage = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  withProvider(input, async (provider) => {
    for (const name of PARTS) {
      const part = provider.parts[name];
      if (!(await part.exists())) await part.create();
    }
  });

/**
 * Ensures that the user has exactly one key, and that this key is recorded.
 * @throws ProvisioningUnavailable
 */
export const issueStorageKey = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  withProvider(input, (provider, task) => ensureOneKey(input, provider, task));

/**
 * Switches new files to the store once the store passes a test of all capabilities. A newly created key may fail at
 * first, because it takes the provider a moment to accept and list it everywhere; the step is then retried.
 * @throws StorageNotUsable, ProvisioningUnavailable
 */
export const openStorage = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  withProvider(input, async (provider, task, earlierAttempts) => {
    const { organizationId, provisioningId } = input;
    const location = await inTenant(organizationId, readProvisionedLocation, { readOnly: true });
    if (!location?.store) throw new StorageNotUsable('key', null);
    const { store } = location;
    const { failed_step, answer } = await tryStore(store, testObjectKey(organizationId, uuidv7(), location));
    if (failed_step !== null) {
      if (earlierAttempts >= ATTEMPTS_PER_KEY) await ensureOneKey(input, provider, task);
      throw new StorageNotUsable(failed_step, answer);
    }
    // Two overlapping attempts may each have created a key; only the recorded key is kept.
    await deleteOtherKeys(provider, store.accessKeyId);
    const completed = await inTenant(organizationId, () =>
      completeProvisioning(provisioningId, task.plan, store.accessKeyId),
    );
    if (!completed) throw new StorageNotUsable('activate', null);
  });

/** Marks the provisioning as failed. An administrator must then act. */
export const failStorageProvisioning = (
  { organizationId, provisioningId }: StorageProvisioningInput,
  failure: ProvisioningFailure,
): Promise<void> => inTenant(organizationId, () => failProvisioning(provisioningId, failure));

/** Cancels a provisioning whose process was cancelled. */
export const stopStorageProvisioning = ({ organizationId, provisioningId }: StorageProvisioningInput): Promise<void> =>
  inTenant(organizationId, () => stopProvisioning(provisioningId));

/**
 * Keeps the recorded key if it works. If not, deletes the user's other keys and creates a new one: their secrets are
 * lost, and the provider allows two keys per user, counting disabled ones. Uploads wait in the meantime.
 */
async function ensureOneKey(
  { organizationId }: StorageProvisioningInput,
  provider: Provisioner,
  { plan, existing }: ProvisioningTask,
): Promise<void> {
  if (await deleteOtherKeys(provider, existing?.accessKeyId ?? null)) return;
  const key = await provider.createKey();
  await inTenant(organizationId, () => saveProvisionedStore(plan, key));
}

/**
 * Deletes all keys except `recordedId`.
 * @returns whether the recorded key exists and works
 */
async function deleteOtherKeys(provider: Provisioner, recordedId: string | null): Promise<boolean> {
  const keys = await provider.keys();
  const isRecorded = ({ id, active }: UserKey) => active && id === recordedId;
  for (const key of keys) if (!isRecorded(key)) await provider.deleteKey(key.id);
  return keys.some(isRecorded);
}

async function withProvider(
  { organizationId, provisioningId }: StorageProvisioningInput,
  work: (provider: Provisioner, task: ProvisioningTask, earlierAttempts: number) => Promise<void>,
): Promise<ProvisioningStep> {
  const task = await inTenant(organizationId, () => readTask(provisioningId), { readOnly: true });
  if (!task) return null;
  try {
    await withProvisioner(provisioningSettings(), task.plan, (provider) => work(provider, task, previousAttempts()));
    return null;
  } catch (error) {
    if (error instanceof ProvisioningRefused) return { problem: error.refusal, answer: error.answer };
    throw error;
  }
}
