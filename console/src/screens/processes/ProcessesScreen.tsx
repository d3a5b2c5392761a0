import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Page } from '../../parts/Page';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { ProcessFilters } from './ProcessFilters';
import { ProcessTable } from './ProcessTable';
import { useProcesses } from './queries';

/** The list of processes. Its filters and its page are in the address. */
export function ProcessesScreen() {
  const [filters] = useFilters();
  const { open } = useScreens();
  const query = useProcesses(filters);
  return (
    <Page
      title="Processes"
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button iconName="refresh" ariaLabel="Reload" onClick={() => void query.refetch()} />
          <Button onClick={() => open('/console/processes/bulk-actions')}>Bulk actions</Button>
        </SpaceBetween>
      }
    >
      <ProcessFilters />
      <ProcessTable query={query} />
    </Page>
  );
}
