/** Returns the domain of return paths. A real mail server needs one that the operator configures. */
import type { StackSettings } from './settings.js';

export const bouncesDomain = ({ environment, external }: StackSettings): string | undefined =>
  environment['BOUNCES_DOMAIN'] || (external.smtp ? undefined : 'bounces.localhost');
