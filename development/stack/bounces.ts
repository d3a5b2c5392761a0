/** The domain of return paths: a real mail server reports to one that the operator names, or not at all. */
import type { StackSettings } from './settings.js';

export const bouncesDomain = ({ environment, external }: StackSettings): string | undefined =>
  environment['BOUNCES_DOMAIN'] || (external.smtp ? undefined : 'bounces.localhost');
