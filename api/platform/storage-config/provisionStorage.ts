import type { TransactionOptions } from '../../../models/database/tenancy.js';
import { readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { readProvisioning } from '../../../models/organizations/storage-provisioning/carryOut.js';
import { startProvisioning } from '../../../models/organizations/storage-provisioning/startProvisioning.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { refusalFor } from './failures.js';

/**
 * Has a store made, and waits for it as long as a person would.
 * @returns what came of it so far; once it is completed with where new files go
 * @throws Refusal not_found, too_many_stores, and as PROVIDER_ERRORS say
 */
export async function provisionStorage(organizationId: string, transaction: TransactionOptions) {
  const { id, workflow_id } = await inOrganization(organizationId, startProvisioning, transaction);
  await waitForProcess(workflow_id);
  const read = async () => ({ provisioning: await readProvisioning(id), storage: await readStorage() });
  const { provisioning, storage } = await inOrganization(organizationId, read, { readOnly: true });
  const { status, problem, answer } = provisioning;
  if (problem !== null) throw refusalFor(problem, answer);
  return { provisioning, storage: status === 'completed' ? storage : null };
}
