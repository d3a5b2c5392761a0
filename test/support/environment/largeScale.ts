import { LARGE, type Scale } from '../../../development/seeding/large/scale.js';

/**
 * The scale of the large seed in tests: organizations of full size, and a quarter of them, so that tables are large enough for
 * sequential scans to be noticed. LARGE_ORGANIZATIONS=20 is full scale.
 */
export const TESTED: Scale = { ...LARGE, organizations: Number(process.env['LARGE_ORGANIZATIONS'] ?? 5) };
