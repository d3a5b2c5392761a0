/** Fields that the finances resources share. */
import { z } from 'zod';

export { moment } from '../../models/fields.js';
export const day = z.iso.date();
export const cents = z.int();
/** Amounts that some readers do not get to see. */
export const hiddenCents = z.int().nullable().meta({ description: 'Null where officers do not see amounts.' });
export const version = z.int().min(0).max(2_147_483_647);
export const expectedVersion = version.optional().meta({
  description: 'The version that was read. When it is no longer the current one, the answer is 409 stale_version.',
});

export const OrganizationParams = z.object({ organization_id: z.uuid().toLowerCase() });
export const OrganizationRowParams = z.object({ organization_id: z.uuid().toLowerCase(), id: z.uuid().toLowerCase() });

/** What all routes of this area say about themselves. */
export const finances: { access: 'tenant'; tags: string[] } = { access: 'tenant', tags: ['finances'] };

/** A calendar day from a client: PostgreSQL takes other years too, but nobody means them. */
export const givenDay = z.iso
  .date()
  .pipe(z.string().refine((text) => text >= '1900-01-01' && text < '2200-01-01', 'Must be between 1900 and 2199.'));
