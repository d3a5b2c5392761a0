import Tabs from '@cloudscape-design/components/tabs';
import { PLATFORM_PATH } from '../../api/tenant';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { AdminsTab } from './people/AdminsTab';
import { AlertsTab } from './alerts/AlertsTab';
import { HealthTab } from './health/HealthTab';
import { LogTab } from './LogTab';
import { OrganizationsTab } from './organizations/OrganizationsTab';
import { PeopleTab } from './people/PeopleTab';
import { ProcessesTab } from './ProcessesTab';

const TABS = [
  { id: 'organizations', label: 'Organizations', content: <OrganizationsTab /> },
  { id: 'people', label: 'People', content: <PeopleTab /> },
  { id: 'admins', label: 'Platform admins', content: <AdminsTab /> },
  { id: 'alerts', label: 'Alerts', content: <AlertsTab /> },
  { id: 'processes', label: 'Processes', content: <ProcessesTab /> },
  { id: 'health', label: 'Health', content: <HealthTab /> },
  { id: 'log', label: 'Audit log', content: <LogTab /> },
];

/** What platform admins do for all organizations. The tab and its filters are in the address. */
export function PlatformScreen() {
  const [{ tab = 'organizations' }] = useFilters();
  const { open } = useScreens();
  return (
    <Page title="Platform">
      <Tabs
        ariaLabel="Platform"
        tabs={TABS}
        activeTabId={tab}
        onChange={({ detail }) => open(`${PLATFORM_PATH}?tab=${detail.activeTabId}`)}
      />
    </Page>
  );
}
