/** Validates an identity provider's metadata with the same rules as manually entered fields. */
import type { z } from 'zod';
import { fetchMetadata, MetadataUnavailable } from '../../../gateways/saml/fetchMetadata.js';
import { type IdentityProviderFacts, MetadataRefused, readMetadata } from '../../../gateways/saml/readMetadata.js';
import { databaseNow } from '../../../models/database/clock.js';
import { invalid } from '../../../models/errors.js';
import { Facts } from './schema.js';

type ValidatedFacts = z.output<typeof Facts>;

/**
 * Reads pasted metadata.
 * @throws Refusal validation_error on the field `metadata`
 */
export const importedFacts = (metadata: string): Promise<ValidatedFacts> =>
  validate('metadata', async () => readMetadata(metadata, databaseNow()));

/**
 * Reads the metadata at a URL. Call it outside of any transaction.
 * @throws Refusal validation_error on the field `metadata_url`
 */
export const publishedFacts = (url: string): Promise<ValidatedFacts> =>
  validate('metadata_url', () => fetchMetadata(url, databaseNow()));

async function validate(field: string, read: () => Promise<IdentityProviderFacts>): Promise<ValidatedFacts> {
  try {
    const facts = Facts.safeParse(await read());
    if (facts.success) return facts.data;
    const [issue] = facts.error.issues;
    throw new MetadataRefused(`${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (error instanceof MetadataRefused || error instanceof MetadataUnavailable) throw invalid(field, error.message);
    throw error;
  }
}
