import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useFilters } from '../../parts/useFilters';
import { optionsOf, PLATFORM_KINDS, words } from '../processes/kinds';
import { ProcessFilters } from '../processes/ProcessFilters';
import { ProcessTable } from '../processes/ProcessTable';
import { useProcesses } from '../processes/queries';

const [FIRST_KIND, ...OTHER_KINDS] = PLATFORM_KINDS;
const OTHER_OPTIONS = optionsOf(OTHER_KINDS);

/** Processes that belong to no organization. The API lists them by their kind. */
export function ProcessesTab() {
  const [filters] = useFilters();
  return (
    <SpaceBetween size="l">
      <Box>
        These processes belong to no organization: they are about accounts and alerts, or a schedule starts them.
      </Box>
      <ProcessFilters kinds={OTHER_OPTIONS} noKind={words(FIRST_KIND)} />
      <ProcessTable query={useProcesses({ kind: FIRST_KIND, ...filters })} allowsBulk={false} />
    </SpaceBetween>
  );
}
