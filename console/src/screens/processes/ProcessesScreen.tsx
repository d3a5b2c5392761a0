import Button from '@cloudscape-design/components/button';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { ProcessFilters } from './ProcessFilters';
import { ProcessTable } from './ProcessTable';
import { useProcesses } from './queries';

/** The list of processes. Its filters and its page are in the address. */
export function ProcessesScreen() {
  const [filters] = useFilters();
  const query = useProcesses(filters);
  return (
    <Page
      title="Processes"
      actions={<Button iconName="refresh" ariaLabel="Reload" onClick={() => void query.refetch()} />}
    >
      <ProcessFilters />
      <ProcessTable query={query} />
    </Page>
  );
}
