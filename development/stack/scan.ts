/** The stand-in of the scanner of files, unless a real one is named or none may be played. */
import type { StackSettings } from './settings.js';

/** A scanner is named, or this is production, which knows no stand-in. */
export const playsScan = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.scan && environment['NODE_ENV'] !== 'production';

/** Tells programs of it. */
export const scanEnvironment = (settings: StackSettings): NodeJS.ProcessEnv =>
  playsScan(settings) ? { CLAMD_ADDRESS: `127.0.0.1:${settings.ports.scan}` } : {};
