import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { Announced } from '../../parts/Announced';
import { Day } from '../../parts/Day';
import { RowsTable } from '../../parts/RowsTable';
import { type Term, useTermRows } from './queries';
import { TermDialog } from './TermDialog';

const COLUMNS = [
  {
    id: 'name',
    header: 'Term',
    cell: ({ name, is_current }: Term) => (is_current ? `${name} (current)` : name),
    isRowHeader: true,
  },
  { id: 'starts', header: 'First day', cell: ({ starts_on }: Term) => <Day on={starts_on} /> },
  { id: 'ends', header: 'Last day', cell: ({ ends_on }: Term) => <Day on={ends_on} /> },
];

/** The terms, the latest first. */
export function TermsTab() {
  const query = useTermRows();
  const [opened, setOpened] = useState<Term | 'new' | null>(null);
  const [done, setDone] = useState('');
  const edit = {
    id: 'edit',
    header: 'Action',
    cell: (term: Term) => (
      <Button variant="inline-link" ariaLabel={`Change ${term.name}`} onClick={() => setOpened(term)}>
        Change
      </Button>
    ),
  };
  return (
    <SpaceBetween size="l">
      {done !== '' && <Announced type="success" header={done} />}
      <RowsTable<Term>
        query={query}
        title="Terms"
        columns={[...COLUMNS, edit]}
        rowId={({ id }) => id}
        empty="The organization has no term."
        actions={<Button onClick={() => setOpened('new')}>New term</Button>}
      />
      {opened !== null && (
        <TermDialog
          opened={opened === 'new' ? null : opened}
          rows={query.data?.results ?? []}
          onDone={setDone}
          onClose={() => setOpened(null)}
        />
      )}
    </SpaceBetween>
  );
}
