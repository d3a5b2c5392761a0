/** V8 flags of the API process. */
import v8 from 'node:v8';

/**
 * Disables a V8 optimization (allocation-site pretenuring). It would allocate the objects of requests that wait for the
 * database in the old generation, which only a full collection frees. Disabling it makes a small read an eighth cheaper
 * (measured).
 */
export const setV8Flags = (): void => v8.setFlagsFromString('--no-allocation-site-pretenuring');
