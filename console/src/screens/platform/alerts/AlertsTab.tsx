import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { RowsTable } from '../../../parts/RowsTable';
import { Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { processHref } from '../../processes/processHref';
import { AUDIENCE_LABELS, STATUS_LABELS } from './labels';
import { NewAlert } from './NewAlert';
import { type PlatformAlert, useAlerts } from './queries';

const STATUS_TYPES: Readonly<Record<PlatformAlert['status'], StatusIndicatorProps.Type>> = {
  running: 'in-progress',
  done: 'success',
  cancelled: 'stopped',
  stopped_right_lost: 'stopped',
};

const COLUMNS = [
  {
    id: 'title',
    header: 'Alert',
    cell: ({ title, body }: PlatformAlert) => (
      <>
        {title}
        <Box color="text-body-secondary">{body}</Box>
      </>
    ),
    isRowHeader: true,
    minWidth: 240,
  },
  { id: 'audience', header: 'To', cell: ({ audience }: PlatformAlert) => AUDIENCE_LABELS[audience] },
  {
    id: 'status',
    header: 'Status',
    minWidth: 140,
    cell: ({ status }: PlatformAlert) => (
      <StatusIndicator type={STATUS_TYPES[status]}>{STATUS_LABELS[status]}</StatusIndicator>
    ),
  },
  { id: 'published', header: 'Published', cell: ({ created_at }: PlatformAlert) => <Time at={created_at} /> },
  {
    id: 'process',
    header: 'Process',
    cell: ({ id, title }: PlatformAlert) => (
      <LinkTo href={processHref(`platform-alert/${id}`)} ariaLabel={`Stages and actions of ${title}`}>
        Stages and actions
      </LinkTo>
    ),
  },
];

/** Announcements of the platform's operators to all organizations. */
export function AlertsTab() {
  const [filters] = useFilters();
  const [isWriting, setWriting] = useState(false);
  const [done, setDone] = useState('');
  return (
    <SpaceBetween size="l">
      {done !== '' && <Announced type="success" header={done} />}
      <ColumnLayout columns={2}>
        <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
        <FilterSelect label="To" name="audience" all="Any audience" options={AUDIENCE_LABELS} />
      </ColumnLayout>
      <RowsTable<PlatformAlert>
        query={useAlerts(filters)}
        title="Alerts"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="There are no such alerts."
        actions={<Button onClick={() => setWriting(true)}>Publish an alert</Button>}
      />
      {isWriting && <NewAlert onDone={setDone} onClose={() => setWriting(false)} />}
    </SpaceBetween>
  );
}
