/**
 * Returns the domain of return paths. Undefined when mail goes to a real mail server and the operator has configured no
 * domain.
 */
import type { StackSettings } from './settings.js';

export const bouncesDomain = ({ environment, external }: StackSettings): string | undefined =>
  environment['BOUNCES_DOMAIN'] || (external.smtp ? undefined : 'bounces.localhost');
