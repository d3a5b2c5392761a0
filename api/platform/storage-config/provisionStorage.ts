import type { TransactionOptions } from '../../../models/database/tenancy.js';
import { readStorage } from '../../../models/organizations/storage-config/chooseStore.js';
import { readProvisioning } from '../../../models/organizations/storage-provisioning/provisioningSteps.js';
import { startProvisioning } from '../../../models/organizations/storage-provisioning/startProvisioning.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { refusalFor } from './failures.js';

/**
 * Provisions a store, and waits for the workflow for as long as `waitForProcess` does.
 * @returns the status so far and, once it is completed, the store that receives new files
 * @throws Refusal not_found, too_many_stores, and the PROVIDER_ERRORS
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
