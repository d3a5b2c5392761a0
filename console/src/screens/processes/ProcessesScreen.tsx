import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Page } from '../../parts/Page';
import { Reload } from '../../parts/Reload';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { KIND_OPTIONS } from './kinds';
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
          <Reload query={query} />
          <Button onClick={() => open('/console/processes/bulk-actions')}>Bulk actions</Button>
        </SpaceBetween>
      }
    >
      <ProcessFilters kinds={KIND_OPTIONS} noKind="All kinds" />
      <ProcessTable query={query} allowsBulk />
    </Page>
  );
}
