/** The navigation: in this order, each entry for the people whose daily work it is. */
import type { Audience } from '../session/me';

interface NavigationEntry {
  label: string;
  href: string;
  audiences: Audience[];
}

export const NAVIGATION: NavigationEntry[] = [
  {
    label: 'Start',
    href: '/console',
    audiences: ['organization_admin', 'regional_admin', 'officer', 'platform_admin'],
  },
  { label: 'Processes', href: '/console/processes', audiences: ['organization_admin', 'platform_admin'] },
];
