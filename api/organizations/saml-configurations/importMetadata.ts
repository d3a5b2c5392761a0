/** An identity provider's metadata against the same rules as fields that are typed in. */
import type { z } from 'zod';
import { fetchMetadata, MetadataUnavailable } from '../../../gateways/saml/fetchMetadata.js';
import { type IdentityProviderFacts, MetadataRefused, readMetadata } from '../../../gateways/saml/readMetadata.js';
import { databaseNow } from '../../../models/database/clock.js';
import { invalid } from '../../../models/errors.js';
import { Facts } from './schema.js';

type Checked = z.output<typeof Facts>;

/** What was pasted. @throws Refusal validation_error on the field `metadata` */
export const importedFacts = (metadata: string): Promise<Checked> =>
  checked('metadata', async () => readMetadata(metadata, databaseNow()));

/** What the address answers; outside of any transaction. @throws Refusal validation_error on the field `metadata_url` */
export const publishedFacts = (url: string): Promise<Checked> =>
  checked('metadata_url', () => fetchMetadata(url, databaseNow()));

async function checked(field: string, read: () => Promise<IdentityProviderFacts>): Promise<Checked> {
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
