/** The areas of the database, each a folder, in the order in which they lean on one another. */
import type { Guards } from '../isolation.js';
import { guards as database } from './database/guards.js';
import { guards as finances } from './finances/guards.js';
import { guards as identity } from './identity/guards.js';
import { guards as intake } from './intake/guards.js';
import { guards as notifications } from './notifications/guards.js';
import { guards as organizations } from './organizations/guards.js';
import { guards as platform } from './platform/guards.js';
import { guards as socialnet } from './socialnet/guards.js';

/** Each with the guards of its tables: it alone writes them (`test/house/tables.test.ts`). */
export const AREAS: Readonly<Record<string, Guards>> = {
  database,
  identity,
  notifications,
  socialnet,
  organizations,
  finances,
  intake,
  platform,
  // looks at the tables of all the others
  processes: {},
};
