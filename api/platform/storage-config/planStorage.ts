import { atProvider } from '../../../gateways/storage/provisioning/atProvider.js';
import { planParts } from '../../../gateways/storage/provisioning/planParts.js';
import { provisioningSettings, readWanted } from '../../../models/organizations/storage-provisioning/wanted.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';
import { refusalOf } from './failures.js';

/** Asks the provider, outside of any transaction. @throws Refusal not_found, and as PROVIDER_ERRORS say */
export async function planStorage(organizationId: string) {
  const { wanted, onRecord } = await inOrganization(organizationId, readWanted, { readOnly: true });
  const { endpoint, region, bucket, prefix, user } = wanted;
  try {
    const parts = await atProvider(provisioningSettings(), wanted, (provider) => planParts(provider, onRecord));
    return { endpoint, region, bucket_name: bucket, prefix, user_name: user, ...parts };
  } catch (error) {
    throw refusalOf(error);
  }
}
