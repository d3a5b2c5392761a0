import { atProvider } from '../../../gateways/storage/provisioning/atProvider.js';
import { planParts } from '../../../gateways/storage/provisioning/planParts.js';
import {
  ProvisioningRefused,
  ProvisioningUnavailable,
  type Refusal,
} from '../../../gateways/storage/provisioning/port.js';
import type { ErrorDefinition, Refusal as Refused } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { provisioningSettings, readWanted } from '../../../models/organizations/storage-provisioning/wanted.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';

const { storage_credentials_refused, storage_bucket_taken, storage_provider_refused, storage_provider_unavailable } =
  fileErrors;

const REFUSED: Record<Refusal, (detail?: string) => Refused> = {
  credentials_refused: storage_credentials_refused,
  bucket_taken: storage_bucket_taken,
  refused: storage_provider_refused,
};

/** What a provider may answer with. */
export const PROVIDER_ERRORS: ErrorDefinition[] = [
  fileErrors.storage_provisioning_off,
  storage_credentials_refused,
  storage_bucket_taken,
  storage_provider_refused,
  storage_provider_unavailable,
];

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

function refusalOf(error: unknown): unknown {
  if (error instanceof ProvisioningRefused) return REFUSED[error.refusal]();
  if (error instanceof ProvisioningUnavailable)
    return storage_provider_unavailable(undefined, undefined, { 'Retry-After': '30' });
  return error;
}
