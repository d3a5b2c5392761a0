import ColumnLayout from '@cloudscape-design/components/column-layout';
import { fieldError } from '../../../parts/Failure';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { useFilters } from '../../../parts/useFilters';
import { Reload } from '../../../parts/Reload';
import { DayField } from './DayField';
import { Days } from './Days';
import { useReconciliation } from './queries';

/** What the providers have moved, day by day, and the difference to our books. */
export function ReconciliationScreen() {
  const [filters] = useFilters();
  const query = useReconciliation(filters);
  const { data, error } = query;
  return (
    <Page
      title="Reconciliation"
      description={data && `Days in ${data.timezone}. A difference is positive if the provider has more.`}
      actions={<Reload query={query} />}
    >
      <ColumnLayout columns={2}>
        <DayField label="First day" name="from" used={data?.from} fault={fieldError(error, 'from')} />
        <DayField label="Last day" name="to" used={data?.to} fault={fieldError(error, 'to')} />
      </ColumnLayout>
      <Loaded query={query}>{(days) => <Days reconciliation={days} />}</Loaded>
    </Page>
  );
}
