import ColumnLayout from '@cloudscape-design/components/column-layout';
import { DayFilter } from '../../../parts/DayFilter';
import { fieldError } from '../../../parts/Failure';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { useFilters } from '../../../parts/useFilters';
import { Reload } from '../../../parts/Reload';
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
        <DayFilter label="First day" name="from" errorText={fieldError(error, 'from')} />
        <DayFilter label="Last day" name="to" errorText={fieldError(error, 'to')} />
      </ColumnLayout>
      <Loaded query={query}>{(days) => <Days reconciliation={days} />}</Loaded>
    </Page>
  );
}
