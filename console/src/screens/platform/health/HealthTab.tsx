import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { Loaded } from '../../../parts/Loaded';
import { words } from '../../processes/kinds';
import { type HealthCheck, useHealth } from './queries';

const STATUSES = {
  ok: { type: 'success', label: 'Works' },
  degraded: { type: 'warning', label: 'Restricted' },
  failing: { type: 'error', label: 'Failing' },
} as const;

const Status = ({ status }: Pick<HealthCheck, 'status'>) => (
  <StatusIndicator type={STATUSES[status].type}>{STATUSES[status].label}</StatusIndicator>
);

const COLUMNS = [
  { id: 'name', header: 'Part', cell: ({ name }: HealthCheck) => words(name), isRowHeader: true },
  { id: 'status', header: 'Status', minWidth: 120, cell: ({ status }: HealthCheck) => <Status status={status} /> },
  { id: 'detail', header: 'Finding', minWidth: 200, cell: ({ detail }: HealthCheck) => detail },
  { id: 'advice', header: 'What to do', minWidth: 200, cell: ({ advice }: HealthCheck) => advice ?? '–' },
];

/** Whether the parts that the platform needs work, and what to do if one does not. */
export function HealthTab() {
  const query = useHealth();
  return (
    <Loaded query={query}>
      {({ status, checks }) => (
        <Table<HealthCheck>
          variant="container"
          wrapLines
          header={
            <Header
              variant="h2"
              description={<Status status={status} />}
              actions={
                <Button loading={query.isFetching} onClick={() => void query.refetch()}>
                  Check again
                </Button>
              }
            >
              Health
            </Header>
          }
          items={checks}
          columnDefinitions={COLUMNS}
          trackBy="name"
          ariaLabels={{ tableLabel: 'Health' }}
        />
      )}
    </Loaded>
  );
}
