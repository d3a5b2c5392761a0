/**
 * Planted fault: the relay does not run, so that outbox rows that a request could not dispatch are never dispatched.
 */
import * as relay from '../../../activities/relay.js';
import { replace } from './replace.js';

replace(relay, { startRelay: () => ({ stop: async () => undefined }) });
