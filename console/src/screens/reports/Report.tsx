import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { CsvButton } from '../../parts/CsvButton';
import { Day } from '../../parts/Day';
import { DayFilter } from '../../parts/DayFilter';
import { Failure, fieldError } from '../../parts/Failure';
import { Loaded, Loading } from '../../parts/Loaded';
import type { ChartProps } from './ReportChart';
import { type ReportName, useCsv } from './queries';

/** Charts are 107 kB of code, more than all other parts of this screen. */
const ReportChart = lazy(() => import('./ReportChart'));

interface ReportProps<Data, Row> {
  name: ReportName;
  query: UseQueryResult<Data>;
  /** What can be chosen besides the days. */
  filters?: ReactNode;
  chartOf: (data: Data) => ChartProps;
  columnsOf: (data: Data) => TableProps.ColumnDefinition<Row>[];
  /** The rows; the last one is the total. */
  rowsOf: (data: Data) => Row[];
}

/** A report: its days and filters, a chart, and the same figures as a table and as a file. */
export function Report<Data extends { from: string; to: string }, Row>(props: ReportProps<Data, Row>) {
  const { name, query, filters, chartOf, columnsOf, rowsOf } = props;
  const csv = useCsv(name);
  return (
    <SpaceBetween size="l">
      <div className="filters">
        <DayFilter label="From" name="from" errorText={fieldError(query.error, 'from')} />
        <DayFilter label="To" name="to" errorText={fieldError(query.error, 'to')} />
        {filters}
      </div>
      {csv.error && <Failure error={csv.error} />}
      <Loaded query={query}>
        {(data) => (
          <SpaceBetween size="l">
            <Container
              header={
                <Header variant="h2">
                  <Day on={data.from} /> to <Day on={data.to} />
                </Header>
              }
            >
              <Suspense fallback={<Loading />}>
                <ReportChart {...chartOf(data)} />
              </Suspense>
            </Container>
            <Table<Row>
              variant="container"
              wrapLines
              header={
                <Header variant="h2" actions={<CsvButton csv={csv} />}>
                  The same as a table
                </Header>
              }
              items={rowsOf(data)}
              columnDefinitions={columnsOf(data)}
              ariaLabels={{ tableLabel: 'Figures of the report' }}
              empty={<Box color="text-body-secondary">The report has no rows.</Box>}
            />
          </SpaceBetween>
        )}
      </Loaded>
    </SpaceBetween>
  );
}
