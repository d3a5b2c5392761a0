/** An identity provider's metadata against the same rules as fields that are typed in. */
import type { z } from 'zod';
import { MetadataRefused, readMetadata } from '../../../gateways/saml/readMetadata.js';
import { invalid } from '../../../models/errors.js';
import { Facts } from './schema.js';

/** @throws Refusal validation_error on the field `metadata` */
export function importedFacts(metadata: string): z.output<typeof Facts> {
  try {
    const facts = Facts.safeParse(readMetadata(metadata));
    if (facts.success) return facts.data;
    const [issue] = facts.error.issues;
    throw new MetadataRefused(`${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (error instanceof MetadataRefused) throw invalid('metadata', error.message);
    throw error;
  }
}
