/** Definitions that the finances resources share. */
import { z } from 'zod';
import { invalid } from '../../models/errors.js';

/** Amounts that some readers do not see. */
export const hiddenCents = z.int().nullable().meta({ description: 'Null where officers do not see amounts.' });

/** Options that all routes of this area share. */
export const finances: { access: 'tenant'; tags: string[] } = { access: 'tenant', tags: ['finances'] };

/** Checks the order of two days. @throws Refusal validation_error if the last day is before the first */
export function requireSpan({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && to && to < from) throw invalid('to', 'Must not be before `from`.');
}
