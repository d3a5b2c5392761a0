import type { ReactNode } from 'react';
import { LinkTo } from '../../parts/LinkTo';
import { RowsTable } from '../../parts/RowsTable';
import { useFilters } from '../../parts/useFilters';
import { ROLE_LABELS, STATUS_LABELS } from './labels';
import { type FoundMember, useFoundMembers } from './queries';

const COLUMNS = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, first_name, last_name }: FoundMember) => (
      <LinkTo href={`/console/memberships/${id}`}>{`${first_name} ${last_name}`}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'chapter', header: 'Chapter', cell: ({ chapter_name }: FoundMember) => chapter_name },
  { id: 'email', header: 'E-mail address', cell: ({ email }: FoundMember) => email ?? '–' },
  { id: 'status', header: 'Status', cell: ({ status }: FoundMember) => STATUS_LABELS[status] },
  { id: 'role', header: 'Role', cell: ({ role }: FoundMember) => ROLE_LABELS[role] },
];

/** Members whose names are similar to the searched one, in all chapters that the person sees. */
export function FoundMembers({ actions }: { actions: ReactNode }) {
  const [{ search = '' }] = useFilters();
  return (
    <RowsTable<FoundMember>
      query={useFoundMembers(search)}
      title="Members"
      columns={COLUMNS}
      rowId={({ id }) => id}
      empty={search === '' ? 'Choose a chapter, or search for a name.' : 'No member has such a name.'}
      actions={actions}
    />
  );
}
