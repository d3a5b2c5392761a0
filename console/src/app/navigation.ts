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
  { label: 'Remittances', href: '/console/remittances', audiences: ['organization_admin', 'officer'] },
  { label: 'Money cases', href: '/console/money-cases', audiences: ['organization_admin'] },
  { label: 'Unmatched payments', href: '/console/unmatched-payments', audiences: ['organization_admin'] },
  { label: 'Disputes', href: '/console/disputes', audiences: ['organization_admin'] },
  { label: 'Reconciliation', href: '/console/reconciliation', audiences: ['organization_admin'] },
  {
    label: 'Approvals',
    href: '/console/approvals',
    audiences: ['organization_admin', 'regional_admin', 'officer'],
  },
  { label: 'Members', href: '/console/members', audiences: ['organization_admin', 'regional_admin', 'officer'] },
  { label: 'Imports', href: '/console/imports', audiences: ['organization_admin'] },
  { label: 'Invoices', href: '/console/invoices', audiences: ['organization_admin'] },
  { label: 'Dues runs', href: '/console/dues-runs', audiences: ['organization_admin'] },
  { label: 'Dues settings', href: '/console/dues-settings', audiences: ['organization_admin'] },
  { label: 'Reports', href: '/console/reports', audiences: ['organization_admin', 'regional_admin'] },
  { label: 'Ledger checks', href: '/console/ledger-checks', audiences: ['organization_admin'] },
  { label: 'Audit log', href: '/console/audit-log', audiences: ['organization_admin'] },
  { label: 'Platform', href: '/console/platform', audiences: ['platform_admin'] },
];
