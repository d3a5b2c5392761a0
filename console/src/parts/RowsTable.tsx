import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './Failure';
import { useFilters } from './useFilters';

interface Page<Row> {
  count: number;
  results: Row[];
}

interface RowsTableProps<Row> {
  query: UseQueryResult<Page<Row>>;
  /** Names the rows, for example `Processes`. */
  title: string;
  columns: TableProps.ColumnDefinition<Row>[];
  rowId: (row: Row) => string;
  /** What an empty list means, for example `No process is stuck.` */
  empty: string;
  actions?: ReactNode;
  /** Rows can be selected. */
  selection?: { selected: Row[]; onChange: (rows: Row[]) => void; labelOf: (row: Row) => string };
}

export const PAGE_SIZE = 25;

/** A page of a list: its rows, or that it is empty, loads or cannot be loaded. The page number is in the address. */
export function RowsTable<Row>({ query, title, columns, rowId, empty, actions, selection }: RowsTableProps<Row>) {
  const [{ page = '1' }, changeFilters] = useFilters();
  const { data, error, refetch, isFetching } = query;
  return (
    <SpaceBetween size="m">
      {error && <Failure error={error} retry={() => void refetch()} />}
      {error && page !== '1' && <Button onClick={() => changeFilters({ page: undefined })}>Show the first page</Button>}
      <Table<Row>
        variant="container"
        header={
          <Header variant="h2" counter={data && `(${data.count})`} actions={actions}>
            {title}
          </Header>
        }
        items={data?.results ?? []}
        columnDefinitions={columns}
        trackBy={rowId}
        wrapLines
        loading={!data && isFetching}
        loadingText="Loading"
        empty={<Box color="text-body-secondary">{error ? 'The list could not be loaded.' : empty}</Box>}
        {...(selection && {
          selectionType: 'multi',
          selectedItems: selection.selected,
          onSelectionChange: ({ detail }) => selection.onChange(detail.selectedItems),
        })}
        ariaLabels={{
          tableLabel: title,
          ...(selection && {
            selectionGroupLabel: `Select ${title.toLowerCase()}`,
            allItemsSelectionLabel: () => `Select all on this page`,
            itemSelectionLabel: (_state, row) => `Select ${selection.labelOf(row)}`,
          }),
        }}
        {...(data &&
          data.count > PAGE_SIZE && {
            pagination: (
              <Pagination
                currentPageIndex={Number(page)}
                pagesCount={Math.ceil(data.count / PAGE_SIZE)}
                onChange={({ detail }) => changeFilters({ page: String(detail.currentPageIndex) })}
              />
            ),
          })}
      />
    </SpaceBetween>
  );
}
