/** What the finances resources share. */
import { z } from 'zod';

/** Amounts that some readers do not get to see. */
export const hiddenCents = z.int().nullable().meta({ description: 'Null where officers do not see amounts.' });

/** What all routes of this area say about themselves. */
export const finances: { access: 'tenant'; tags: string[] } = { access: 'tenant', tags: ['finances'] };
