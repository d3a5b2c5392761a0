import ColumnLayout from '@cloudscape-design/components/column-layout';
import { Cents } from '../../parts/Cents';
import { Day } from '../../parts/Day';
import { DayFilter } from '../../parts/DayFilter';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { Reload } from '../../parts/Reload';
import { RowsTable } from '../../parts/RowsTable';
import { TextFilter } from '../../parts/TextFilter';
import { useChapters } from '../../parts/useChapters';
import { useFilters } from '../../parts/useFilters';
import { INVOICE_LABELS, InvoiceStatus } from './InvoiceStatus';
import { type InvoiceRow, useInvoices, useTermNames } from './queries';

/** The invoices of the organization. Filters and page are in the address. */
export function InvoicesScreen() {
  const [filters] = useFilters();
  const query = useInvoices(filters);
  const chapters = useChapters();
  const columns = [
    {
      id: 'payer',
      header: 'Payer',
      cell: ({ id, payer_name }: InvoiceRow) => <LinkTo href={`/console/invoices/${id}`}>{payer_name}</LinkTo>,
      isRowHeader: true,
    },
    { id: 'chapter', header: 'Chapter', cell: ({ chapter }: InvoiceRow) => chapters.get(chapter) ?? '–' },
    { id: 'description', header: 'Description', cell: ({ description }: InvoiceRow) => description },
    { id: 'status', header: 'Status', cell: (invoice: InvoiceRow) => <InvoiceStatus invoice={invoice} /> },
    { id: 'due', header: 'Due', cell: ({ due_date }: InvoiceRow) => <Day on={due_date} /> },
  ];
  const amounts = [
    {
      id: 'total',
      header: 'Total',
      cell: ({ total_cents, currency }: InvoiceRow) => <Cents cents={total_cents} currency={currency} />,
    },
    {
      id: 'balance',
      header: 'Balance due',
      cell: ({ balance_due_cents, currency }: InvoiceRow) => <Cents cents={balance_due_cents} currency={currency} />,
    },
  ];
  const showsAmounts = query.data?.results.some(({ total_cents }) => total_cents !== null);
  return (
    <Page title="Invoices" actions={<Reload query={query} />}>
      <ColumnLayout columns={4}>
        <TextFilter label="Payer or description" name="search" />
        <FilterSelect label="Status" name="status" all="Any status" options={INVOICE_LABELS} />
        <FilterSelect
          label="Payers"
          name="payer_type"
          all="All payers"
          options={{ chapter: 'Chapters', member: 'Members' }}
        />
        <FilterSelect label="Chapter" name="chapter" all="All chapters" options={Object.fromEntries(chapters)} />
        <FilterSelect label="Term" name="term" all="All terms" options={useTermNames()} />
        <DayFilter label="Due before" name="due_before" />
        <DayFilter label="Due after" name="due_after" />
      </ColumnLayout>
      <RowsTable
        query={query}
        title="Invoices"
        columns={showsAmounts ? [...columns, ...amounts] : columns}
        rowId={({ id }) => id}
        empty="There are no such invoices."
      />
    </Page>
  );
}
