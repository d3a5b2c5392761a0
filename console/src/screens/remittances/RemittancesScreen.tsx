import Button from '@cloudscape-design/components/button';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { useRemittances } from './queries';
import { RemittanceFilters } from './RemittanceFilters';
import { RemittanceTable } from './RemittanceTable';

/** The list of remittances. Its filters and its page are in the address. */
export function RemittancesScreen() {
  const [filters] = useFilters();
  const query = useRemittances(filters);
  return (
    <Page
      title="Remittances"
      actions={<Button iconName="refresh" ariaLabel="Reload" onClick={() => void query.refetch()} />}
    >
      <RemittanceFilters />
      <RemittanceTable query={query} />
    </Page>
  );
}
