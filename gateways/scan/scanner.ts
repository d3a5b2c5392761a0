/** The scanner that the environment names. */
import { config } from '../../config.js';
import { clamd } from './clamd.js';
import { type ScanPort, ScannerUnavailable } from './port.js';

/** What clamd takes where nobody has told it otherwise (StreamMaxLength). */
const MOST_BYTES = 25 * 1024 * 1024;

/** @throws ScannerUnavailable without one: what was held while there was one is not let go by taking it away */
export function scanner(): ScanPort {
  if (!config.clamd) throw new ScannerUnavailable('There is no scanner.');
  return clamd({ ...config.clamd, mostBytes: MOST_BYTES });
}
