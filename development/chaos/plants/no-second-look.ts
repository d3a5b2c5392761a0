/**
 * Planted fault: a charge of a pledge is confirmed without reading the pledge again. A pledge that is cancelled after the
 * charge was opened is charged, although the answer said that no charge is in flight. There is no delay: the process of
 * a cancelled pledge deletes its card, and then the charge is declined.
 */
import * as claiming from '../../../models/foundation/pledges/claimCharge.js';
import { replace } from './replace.js';

replace(claiming, { beginConfirming: () => Promise.resolve(true) });
