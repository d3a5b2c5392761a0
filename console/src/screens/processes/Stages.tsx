import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Steps from '@cloudscape-design/components/steps';
import { Time } from '../../parts/Time';
import { words } from './kinds';
import type { Process } from './queries';

/** The stages that the process has reached, with their times. */
export function Stages({ process: { stages, stages_complete, status } }: { process: Process }) {
  if (stages.length === 0) return <Box color="text-body-secondary">The process has not started yet.</Box>;
  const isCurrent = (at: number): boolean => at === stages.length - 1 && status === 'running';
  return (
    <SpaceBetween size="s">
      {!stages_complete && <Box>Earlier stages are not shown: the history is too long.</Box>}
      <Steps
        ariaLabel="Stages"
        steps={stages.map(({ stage, at }, index) => ({
          status: isCurrent(index) ? 'in-progress' : 'success',
          statusIconAriaLabel: isCurrent(index) ? 'Now' : 'Reached',
          header: words(stage),
          details: <Time at={at} />,
        }))}
      />
    </SpaceBetween>
  );
}
