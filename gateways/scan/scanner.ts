/** The scanner that the environment configures. */
import { config } from '../../config.js';
import { clamd } from './clamd.js';
import { type ScanPort, ScannerUnavailable } from './port.js';

/** Maximum size of a file for a scan: the default of clamd (StreamMaxLength). */
const MAX_BYTES = 25 * 1024 * 1024;

/**
 * Returns the scanner.
 * @throws ScannerUnavailable if none is configured, so that files that wait for a scan stay blocked after the scanner
 * is removed from the configuration
 */
export function scanner(): ScanPort {
  if (!config.clamd) throw new ScannerUnavailable('No scanner is configured.');
  return clamd({ ...config.clamd, maxBytes: MAX_BYTES });
}
