import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { tenantAddress } from '../../../api/tenant';
import { LinkTo } from '../../../parts/LinkTo';
import { RowsTable } from '../../../parts/RowsTable';
import { TextFilter } from '../../../parts/TextFilter';
import { useFilters } from '../../../parts/useFilters';
import { AccountStatus } from './AccountStatus';
import { PersonDetails } from './PersonDetails';
import { type Person, usePeople } from './queries';

const COLUMNS = [
  { id: 'person', header: 'Person', cell: (person: Person) => <PersonDetails person={person} />, minWidth: 280 },
  { id: 'email', header: 'E-mail address', cell: ({ email }: Person) => email ?? '–', isRowHeader: true },
  {
    id: 'state',
    header: 'Account',
    cell: ({ is_disabled }: Person) => <AccountStatus isDisabled={is_disabled} />,
    minWidth: 130,
  },
  {
    id: 'organizations',
    header: 'Organizations',
    cell: ({ organizations }: Person) => (
      <SpaceBetween size="xxs">
        {organizations.map(({ id, name }) => (
          <LinkTo key={id} href={tenantAddress(id)}>
            {name}
          </LinkTo>
        ))}
      </SpaceBetween>
    ),
  },
].map((column) => ({ ...column, verticalAlign: 'top' as const }));

/** People of all organizations. The opened person is in the address. */
export function PeopleTab() {
  const [filters] = useFilters();
  return (
    <SpaceBetween size="l">
      <ColumnLayout columns={2}>
        <TextFilter label="Search" name="q" placeholder="Beginning of a name or an address, then Enter" />
      </ColumnLayout>
      <RowsTable<Person>
        query={usePeople(filters)}
        title="People"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="No name and no address begins like this."
      />
    </SpaceBetween>
  );
}
