import Tabs from '@cloudscape-design/components/tabs';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { audiencesOf, useMe } from '../../session/me';
import { DuesReportTab } from './DuesReportTab';
import { MemberReportTab } from './MemberReportTab';
import { ReconciliationTab } from './ReconciliationTab';

const TABS = [
  { id: 'dues', label: 'Dues', content: <DuesReportTab /> },
  { id: 'members', label: 'Members', content: <MemberReportTab /> },
];
/** Of the whole organization: admins of a region have no such report. */
const RECONCILIATION = { id: 'reconciliation', label: 'Reconciliation', content: <ReconciliationTab /> };

/** Three reports, each as a chart, as a table and as a file. Report and parameters are in the address. */
export function ReportsScreen() {
  const [{ report = 'dues' }, change] = useFilters();
  const { data: me } = useMe();
  const isOfOrganization = me !== undefined && me !== null && audiencesOf(me).has('organization_admin');
  const tabs = isOfOrganization ? [...TABS, RECONCILIATION] : TABS;
  return (
    <Page title="Reports">
      <Tabs
        ariaLabel="Reports"
        tabs={tabs}
        activeTabId={tabs.some(({ id }) => id === report) ? report : 'dues'}
        onChange={({ detail }) => change({ report: detail.activeTabId, group_by: undefined, payer_type: undefined })}
      />
    </Page>
  );
}
