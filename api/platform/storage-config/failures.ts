import {
  ProvisioningRefused,
  ProvisioningUnavailable,
  type Refusal,
} from '../../../gateways/storage/provisioning/port.js';
import type { ErrorDefinition } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';

const {
  storage_provisioning_off,
  storage_credentials_refused,
  storage_bucket_taken,
  storage_provider_refused,
  storage_provider_unavailable,
  storage_not_usable,
} = fileErrors;

/** The errors that a failure at the provider causes. */
export const PROVIDER_ERRORS: ErrorDefinition[] = [
  storage_provisioning_off,
  storage_credentials_refused,
  storage_bucket_taken,
  storage_provider_refused,
  storage_provider_unavailable,
  storage_not_usable,
];

const BY_PROBLEM = {
  credentials_refused: storage_credentials_refused,
  bucket_taken: storage_bucket_taken,
  refused: storage_provider_refused,
  unavailable: storage_provider_unavailable,
  not_usable: storage_not_usable,
} satisfies Record<Refusal, unknown> & Record<string, unknown>;

/**
 * Builds the refusal for a problem at the provider.
 * @param answer the provider's own error code
 */
export function refusalFor(problem: keyof typeof BY_PROBLEM, answer: string | null): Error {
  const refusal = BY_PROBLEM[problem];
  const headers = problem === 'unavailable' ? { 'Retry-After': '30' } : {};
  return refusal(
    answer === null ? undefined : `${refusal.detail} The code of the provider is ${answer}.`,
    undefined,
    headers,
  );
}

/** Converts a failure at the provider to its refusal; returns any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof ProvisioningRefused) return refusalFor(error.refusal, error.answer);
  if (error instanceof ProvisioningUnavailable) return refusalFor('unavailable', error.answer);
  return error;
}
