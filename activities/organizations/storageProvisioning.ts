import { atProvider } from '../../gateways/storage/provisioning/atProvider.js';
import {
  PARTS,
  type Provisioner,
  ProvisioningRefused,
  type UserKey,
} from '../../gateways/storage/provisioning/port.js';
import { tryStore } from '../../gateways/storage/tryStore.js';
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { trialOf } from '../../models/organizations/files/storedFiles.js';
import { keepStore } from '../../models/organizations/storage-config/provisionedStore.js';
import {
  completeProvisioning,
  failProvisioning,
  readPlace,
  readTask,
  stopProvisioning,
  type Task,
} from '../../models/organizations/storage-provisioning/carryOut.js';
import type { Failure } from '../../models/organizations/storage-provisioning/StorageProvisioning.js';
import { provisioningSettings } from '../../models/organizations/storage-provisioning/wanted.js';
import type { StorageProvisioningInput } from '../../workflows/contracts/storageProvisioning.js';
import { triesBefore } from '../tries.js';

/** Null: the step is done, or the provisioning has ended. A failure: retrying cannot help. */
export type ProvisioningStep = Failure | null;

/** The store exists but lacks a capability that files need. */
class StorageNotUsable extends Error {
  override readonly name = 'StorageNotUsable';

  constructor(step: string, answer: string | null) {
    super(`The store does not do what files need yet (${step}${answer === null ? '' : `, ${answer}`}).`);
  }
}

/** After this many tries the provider is asked whether the key still exists. */
const TRIES_OF_A_KEY = 4;

/** Creates bucket, user and policy where they are missing. @throws ProvisioningUnavailable */
export const prepareStorage = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  atWork(input, async (provider) => {
    for (const name of PARTS) {
      const part = provider.parts[name];
      if (!(await part.isThere())) await part.make();
    }
  });

/** Ensures that the user has exactly one key, which is recorded. @throws ProvisioningUnavailable */
export const issueStorageKey = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  atWork(input, (provider, task) => haveOneKey(input, provider, task));

/**
 * Switches new files to the store once it has all capabilities: a key created a moment ago may not be usable or
 * listed everywhere yet. @throws StorageNotUsable, ProvisioningUnavailable
 */
export const openStorage = (input: StorageProvisioningInput): Promise<ProvisioningStep> =>
  atWork(input, async (provider, task, previousTries) => {
    const { organizationId, provisioningId } = input;
    const place = await inTenant(organizationId, readPlace, { readOnly: true });
    if (!place?.store) throw new StorageNotUsable('key', null);
    const { store } = place;
    const { failed_step, answer } = await tryStore(store, trialOf(organizationId, uuidv7(), place));
    if (failed_step !== null) {
      if (previousTries >= TRIES_OF_A_KEY) await haveOneKey(input, provider, task);
      throw new StorageNotUsable(failed_step, answer);
    }
    // Two overlapping tries may both have created a key.
    await deleteOtherKeys(provider, store.accessKeyId);
    const completed = await inTenant(organizationId, () =>
      completeProvisioning(provisioningId, task.wanted, store.accessKeyId),
    );
    if (!completed) throw new StorageNotUsable('activate', null);
  });

/** Marks the provisioning as failed, which needs an administrator. */
export const failStorageProvisioning = (
  { organizationId, provisioningId }: StorageProvisioningInput,
  failure: Failure,
): Promise<void> => inTenant(organizationId, () => failProvisioning(provisioningId, failure));

/** Ends a provisioning whose process was cancelled. */
export const stopStorageProvisioning = ({ organizationId, provisioningId }: StorageProvisioningInput): Promise<void> =>
  inTenant(organizationId, () => stopProvisioning(provisioningId));

/**
 * Keeps the recorded key if it works. Deletes every other key before creating a new one: its secret is lost, and the
 * provider allows two keys per user, disabled ones included. Uploads wait meanwhile.
 */
async function haveOneKey(
  { organizationId }: StorageProvisioningInput,
  provider: Provisioner,
  { wanted, onRecord }: Task,
): Promise<void> {
  if (await deleteOtherKeys(provider, onRecord?.accessKeyId ?? null)) return;
  const key = await provider.makeKey();
  await inTenant(organizationId, () => keepStore(wanted, key));
}

/** @returns whether the key to keep exists and works */
async function deleteOtherKeys(provider: Provisioner, kept: string | null): Promise<boolean> {
  const keys = await provider.keys();
  const stays = ({ id, active }: UserKey) => active && id === kept;
  for (const key of keys) if (!stays(key)) await provider.deleteKey(key.id);
  return keys.some(stays);
}

async function atWork(
  { organizationId, provisioningId }: StorageProvisioningInput,
  work: (provider: Provisioner, task: Task, previousTries: number) => Promise<void>,
): Promise<ProvisioningStep> {
  const task = await inTenant(organizationId, () => readTask(provisioningId), { readOnly: true });
  if (!task) return null;
  try {
    await atProvider(provisioningSettings(), task.wanted, (provider) => work(provider, task, triesBefore()));
    return null;
  } catch (error) {
    if (error instanceof ProvisioningRefused) return { problem: error.refusal, answer: error.answer };
    throw error;
  }
}
