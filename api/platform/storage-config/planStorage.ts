import { withProvisioner } from '../../../gateways/storage/provisioning/withProvisioner.js';
import { planParts } from '../../../gateways/storage/provisioning/planParts.js';
import { provisioningSettings, readBucketPlan } from '../../../models/organizations/storage-provisioning/bucketPlan.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { refusalOf } from './failures.js';

/**
 * Asks the provider which parts of an organization's store exist and which would be created, without creating any. The
 * provider is asked outside of any transaction.
 * @throws Refusal not_found, and the PROVIDER_ERRORS
 */
export async function planStorage(organizationId: string) {
  const { plan, existing } = await inOrganization(organizationId, readBucketPlan, { readOnly: true });
  const { endpoint, region, bucket, prefix, user } = plan;
  try {
    const parts = await withProvisioner(provisioningSettings(), plan, (provider) => planParts(provider, existing));
    return { endpoint, region, bucket_name: bucket, prefix, user_name: user, ...parts };
  } catch (error) {
    throw refusalOf(error);
  }
}
