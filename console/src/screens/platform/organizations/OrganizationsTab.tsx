import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { tenantAddress } from '../../../api/tenant';
import { Announced } from '../../../parts/Announced';
import { FilterSelect } from '../../../parts/FilterSelect';
import { LinkTo } from '../../../parts/LinkTo';
import { RowsTable } from '../../../parts/RowsTable';
import { TextFilter } from '../../../parts/TextFilter';
import { Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { NewOrganization } from './NewOrganization';
import { type Organization, useOrganizations } from './queries';
import { SuspensionDialog } from './SuspensionDialog';

const STATES = { true: 'Active', false: 'Suspended' };
const ADMINS = { true: 'Without an admin', false: 'With an admin' };
const ORDERS = { '-created_at': 'Newest first', created_at: 'Oldest first' };

const COLUMNS = [
  {
    id: 'name',
    header: 'Organization',
    cell: ({ id, name }: Organization) => <LinkTo href={tenantAddress(id)}>{name}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'slug', header: 'Slug', cell: ({ slug }: Organization) => slug },
  {
    id: 'state',
    header: 'State',
    minWidth: 140,
    cell: ({ is_active }: Organization) =>
      is_active ? (
        <StatusIndicator type="success">Active</StatusIndicator>
      ) : (
        <StatusIndicator type="stopped">Suspended</StatusIndicator>
      ),
  },
  { id: 'timezone', header: 'Time zone', cell: ({ timezone }: Organization) => timezone },
  { id: 'created', header: 'Created', cell: ({ created_at }: Organization) => <Time at={created_at} /> },
];

/** All organizations: create, suspend and reactivate one, or work in one. */
export function OrganizationsTab() {
  const [filters] = useFilters();
  const [dialog, setDialog] = useState<Organization | 'new' | null>(null);
  const [done, setDone] = useState('');
  const close = (): void => setDialog(null);
  const actions = {
    id: 'actions',
    header: 'Action',
    minWidth: 130,
    cell: (organization: Organization) => (
      <Button
        variant="inline-link"
        ariaLabel={`${organization.is_active ? 'Suspend' : 'Reactivate'} ${organization.name}`}
        onClick={() => setDialog(organization)}
      >
        {organization.is_active ? 'Suspend' : 'Reactivate'}
      </Button>
    ),
  };
  return (
    <SpaceBetween size="l">
      {done !== '' && <Announced type="success" header={done} />}
      <ColumnLayout columns={4}>
        <TextFilter label="Search" name="search" placeholder="Name or slug, then Enter" />
        <FilterSelect label="State" name="is_active" all="Active or suspended" options={STATES} />
        <FilterSelect label="Admins" name="without_admin" all="With or without an admin" options={ADMINS} />
        <FilterSelect label="Order" name="ordering" all="By name" options={ORDERS} />
      </ColumnLayout>
      <RowsTable<Organization>
        query={useOrganizations(filters)}
        title="Organizations"
        columns={[...COLUMNS, actions]}
        rowId={({ id }) => id}
        empty="There are no such organizations."
        actions={<Button onClick={() => setDialog('new')}>Create an organization</Button>}
      />
      {dialog === 'new' && <NewOrganization onDone={setDone} onClose={close} />}
      {dialog !== null && dialog !== 'new' && (
        <SuspensionDialog organization={dialog} onDone={setDone} onClose={close} />
      )}
    </SpaceBetween>
  );
}
