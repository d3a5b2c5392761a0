import { LARGE, type Scale } from '../../../development/seeding/large/scale.js';

/**
 * The large seed as tests have it: each organization as large as ever, and a quarter of them, which make the tables large enough
 * for whatever reads one from end to end to be seen. LARGE_ORGANIZATIONS=20 is all of it.
 */
export const TESTED: Scale = { ...LARGE, organizations: Number(process.env['LARGE_ORGANIZATIONS'] ?? 5) };
