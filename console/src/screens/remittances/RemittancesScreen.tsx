import { Page } from '../../parts/Page';
import { Reload } from '../../parts/Reload';
import { useFilters } from '../../parts/useFilters';
import { useRemittances } from './queries';
import { RemittanceFilters } from './RemittanceFilters';
import { RemittanceTable } from './RemittanceTable';

/** The list of remittances. Its filters and its page are in the address. */
export function RemittancesScreen() {
  const [filters] = useFilters();
  const query = useRemittances(filters);
  return (
    <Page title="Remittances" actions={<Reload query={query} />}>
      <RemittanceFilters />
      <RemittanceTable query={query} />
    </Page>
  );
}
