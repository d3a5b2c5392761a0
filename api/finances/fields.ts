/** What the finances resources share. */
import { z } from 'zod';
import { invalid } from '../../models/errors.js';

/** Amounts that some readers do not get to see. */
export const hiddenCents = z.int().nullable().meta({ description: 'Null where officers do not see amounts.' });

/** What all routes of this area say about themselves. */
export const finances: { access: 'tenant'; tags: string[] } = { access: 'tenant', tags: ['finances'] };

/** @throws Refusal validation_error for days that are the wrong way round */
export function requireSpan({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && to && to < from) throw invalid('to', 'The last day is before the first.');
}
