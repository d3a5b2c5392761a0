/** The stand-in of the malware scanner. It runs unless a real scanner is configured or this is production. */
import type { StackSettings } from './settings.js';

/** Reports whether the stand-in runs: no real scanner is configured, and this is not production. */
export const playsScan = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.scan && environment['NODE_ENV'] !== 'production';

/** Returns the environment variable that points programs to the stand-in. */
export const scanEnvironment = (settings: StackSettings): NodeJS.ProcessEnv =>
  playsScan(settings) ? { CLAMD_ADDRESS: `127.0.0.1:${settings.ports.scan}` } : {};
