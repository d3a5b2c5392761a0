/** The scanner that the environment configures. */
import { config } from '../../config.js';
import { clamd } from './clamd.js';
import { type ScanPort, ScannerUnavailable } from './port.js';

/** The default of clamd (StreamMaxLength). */
const MAX_BYTES = 25 * 1024 * 1024;

/**
 * Returns the scanner.
 * @throws ScannerUnavailable if none is configured: files that wait for a scan stay blocked when the scanner is removed
 */
export function scanner(): ScanPort {
  if (!config.clamd) throw new ScannerUnavailable('No scanner is configured.');
  return clamd({ ...config.clamd, maxBytes: MAX_BYTES });
}
