/**
 * Planted fault: a charge of a pledge is confirmed without reading the pledge again. A pledge that is cancelled after the
 * charge was opened is charged, although the answer said that no charge is in flight.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as claiming from '../../../models/foundation/pledges/claimCharge.js';
import { replace } from './replace.js';

/** Delay between the two steps, as on a busy server. */
const DELAY_MS = 1_500;

replace(claiming, {
  beginConfirming: async () => {
    await sleep(DELAY_MS);
    return true;
  },
});
