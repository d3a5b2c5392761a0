import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { PAGE_SIZE } from './RowsTable';

interface PreviewTableProps<Row> {
  title: string;
  description?: string | undefined;
  items: Row[];
  columns: TableProps.ColumnDefinition<Row>[];
  empty: string;
}

/** A part of a preview, page by page: the preview is loaded whole, and is not at an own address. */
export function PreviewTable<Row>({ title, description, items, columns, empty }: PreviewTableProps<Row>) {
  const [page, setPage] = useState(1);
  return (
    <Table<Row>
      variant="container"
      wrapLines
      header={
        <Header variant="h2" counter={`(${items.length})`} description={description}>
          {title}
        </Header>
      }
      items={items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
      columnDefinitions={columns}
      ariaLabels={{ tableLabel: title }}
      empty={<Box color="text-body-secondary">{empty}</Box>}
      {...(items.length > PAGE_SIZE && {
        pagination: (
          <Pagination
            currentPageIndex={page}
            pagesCount={Math.ceil(items.length / PAGE_SIZE)}
            onChange={({ detail }) => setPage(detail.currentPageIndex)}
          />
        ),
      })}
    />
  );
}
