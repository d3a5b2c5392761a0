/** The store that the environment has credentials for, opened when first used. */
import { config } from '../../config.js';
import type { StoragePort } from './port.js';
import { s3 } from './s3.js';

let opened: StoragePort | undefined;

/** Null without credentials: nothing is uploaded or downloaded then. */
export const store = (): StoragePort | null => (config.storage ? (opened ??= s3(config.storage)) : null);

/** Closes idle connections; whoever asks next opens new ones. */
export function closeStore(): void {
  opened?.close();
  opened = undefined;
}
