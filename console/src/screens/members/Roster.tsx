import type { ReactNode } from 'react';
import { Day } from '../../parts/Day';
import { LinkTo } from '../../parts/LinkTo';
import { RowsTable } from '../../parts/RowsTable';
import { useFilters } from '../../parts/useFilters';
import { INVITATION_LABELS, ROLE_LABELS, STATUS_LABELS } from './labels';
import { type Member, useRoster } from './queries';

const COLUMNS = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, first_name, last_name }: Member) => (
      <LinkTo href={`/console/memberships/${id}`}>{`${first_name} ${last_name}`}</LinkTo>
    ),
    isRowHeader: true,
  },
  { id: 'email', header: 'E-mail address', cell: ({ email }: Member) => email ?? '–' },
  { id: 'status', header: 'Status', cell: ({ status }: Member) => STATUS_LABELS[status] },
  { id: 'role', header: 'Role', cell: ({ role }: Member) => ROLE_LABELS[role] },
  { id: 'joined', header: 'Joined', cell: ({ joined_date }: Member) => (joined_date ? <Day on={joined_date} /> : '–') },
  { id: 'graduation', header: 'Graduation', cell: ({ graduation_year }: Member) => graduation_year ?? '–' },
  {
    id: 'invitation',
    header: 'Account',
    cell: ({ invitation }: Member) => (invitation ? INVITATION_LABELS[invitation.state] : 'Joined'),
  },
];

export function Roster({ chapter, actions }: { chapter: string; actions: ReactNode }) {
  const [filters] = useFilters();
  return (
    <RowsTable<Member>
      query={useRoster(chapter, filters)}
      title="Members"
      columns={COLUMNS}
      rowId={({ id }) => id}
      empty="The chapter has no such members."
      actions={actions}
    />
  );
}
