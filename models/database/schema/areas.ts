/** Areas of the database, each a folder, in dependency order. */
import type { Guards } from '../isolation.js';
import { guards as database } from './database/guards.js';
import { guards as finances } from './finances/guards.js';
import { guards as foundation } from './foundation/guards.js';
import { guards as forums } from './forums/guards.js';
import { guards as identity } from './identity/guards.js';
import { guards as intake } from './intake/guards.js';
import { guards as notifications } from './notifications/guards.js';
import { guards as organizations } from './organizations/guards.js';
import { guards as platform } from './platform/guards.js';
import { guards as processes } from './processes/guards.js';
import { guards as socialnet } from './socialnet/guards.js';

/** Guards of each area's tables; only the area itself writes its tables (`test/house/tables.test.ts`). */
export const AREAS: Readonly<Record<string, Guards>> = {
  database,
  identity,
  notifications,
  socialnet,
  organizations,
  forums,
  finances,
  foundation,
  intake,
  platform,
  processes,
};
