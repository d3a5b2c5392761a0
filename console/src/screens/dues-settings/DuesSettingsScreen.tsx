import Tabs from '@cloudscape-design/components/tabs';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { RatesTab } from './RatesTab';
import { SettingsTab } from './SettingsTab';
import { TermsTab } from './TermsTab';

const TABS = [
  { id: 'rates', label: 'Rates', content: <RatesTab /> },
  { id: 'terms', label: 'Terms', content: <TermsTab /> },
  { id: 'settings', label: 'Billing and reminders', content: <SettingsTab /> },
];

/** What members owe in each term, and how dues are billed. The tab is in the address. */
export function DuesSettingsScreen() {
  const [{ tab = 'rates' }, change] = useFilters();
  return (
    <Page title="Dues settings">
      <Tabs
        ariaLabel="Dues settings"
        tabs={TABS}
        activeTabId={tab}
        onChange={({ detail }) => change({ tab: detail.activeTabId, term: undefined, status: undefined })}
      />
    </Page>
  );
}
