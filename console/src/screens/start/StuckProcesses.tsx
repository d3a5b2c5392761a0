import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Loaded } from '../../parts/Loaded';
import { LinkTo } from '../../parts/LinkTo';
import { Since } from '../../parts/Time';
import { MoneyMoved } from '../processes/MoneyMoved';
import { useOldestStuck, useSummary } from './queries';

/** The processes that have been stuck for longest, in the API's order. Their number is that of the summary. */
export function StuckProcesses() {
  const query = useOldestStuck();
  const count = useSummary().data?.stuck_processes?.count;
  return (
    <Container
      header={
        <Header variant="h2" counter={count ? `(${count})` : ''}>
          Stuck processes
        </Header>
      }
    >
      <Loaded query={query}>
        {({ results, next }) =>
          results.length === 0 ? (
            <StatusIndicator type="success">No process is stuck</StatusIndicator>
          ) : (
            <SpaceBetween size="m">
              {results.map((process) => (
                <div key={process.id}>
                  <LinkTo href={process.console_path} fontSize="heading-s">
                    {process.label}
                  </LinkTo>
                  <Box color="text-body-secondary">
                    started <Since at={process.started_at} />
                    {process.money_moved && (
                      <>
                        {' · '}
                        <MoneyMoved moved={process.money_moved} />
                      </>
                    )}
                  </Box>
                </div>
              ))}
              {next !== null && <LinkTo href="/console/processes?stuck=true">All stuck processes</LinkTo>}
            </SpaceBetween>
          )
        }
      </Loaded>
    </Container>
  );
}
