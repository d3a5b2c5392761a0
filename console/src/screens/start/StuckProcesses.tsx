import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';
import { Loaded } from '../../parts/Loaded';
import { LinkTo } from '../../parts/LinkTo';
import { Since } from '../../parts/Time';
import { MoneyMoved } from '../processes/MoneyMoved';

const MAX_SHOWN = 5;

/** The stuck processes that have waited longest, the oldest first. */
export function StuckProcesses() {
  const query = useQuery({
    queryKey: ['processes', 'oldest-stuck'],
    queryFn: () => send(() => client.GET('/api/processes/', { params: { query: { stuck: 'true', page_size: 100 } } })),
    ...POLLED,
  });
  const count = query.data?.count;
  return (
    <Container
      header={
        <Header variant="h2" counter={count ? `(${count})` : ''}>
          Stuck processes
        </Header>
      }
    >
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <StatusIndicator type="success">No process is stuck</StatusIndicator>
          ) : (
            <SpaceBetween size="m">
              {results
                .toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1))
                .slice(0, MAX_SHOWN)
                .map((process) => (
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
              {results.length > MAX_SHOWN && <LinkTo href="/console/processes?stuck=true">All stuck processes</LinkTo>}
            </SpaceBetween>
          )
        }
      </Loaded>
    </Container>
  );
}
