import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { PLATFORM_PATH } from '../../../api/tenant';
import { Announced } from '../../../parts/Announced';
import { RowsTable } from '../../../parts/RowsTable';
import { useFilters } from '../../../parts/useFilters';
import { useScreens } from '../../../parts/useScreens';
import { AccountActionDialog, ACTION_LABELS } from './AccountActionDialog';
import { AccountStatus } from './AccountStatus';
import { type PlatformAdmin, usePlatformAdmins } from './queries';

const nameOf = ({ first_name, last_name }: PlatformAdmin): string => `${first_name} ${last_name}`;

const COLUMNS = [
  { id: 'name', header: 'Person', cell: nameOf, isRowHeader: true },
  { id: 'email', header: 'E-mail address', cell: ({ email }: PlatformAdmin) => email ?? '–' },
  {
    id: 'state',
    header: 'Account',
    minWidth: 130,
    cell: ({ is_disabled }: PlatformAdmin) => <AccountStatus isDisabled={is_disabled} />,
  },
];

/** People with rights on the whole platform. The rights are granted to a person of the other tab. */
export function AdminsTab() {
  const [filters] = useFilters();
  const { open } = useScreens();
  const [revoked, setRevoked] = useState<PlatformAdmin | null>(null);
  const [done, setDone] = useState('');
  const actions = {
    id: 'actions',
    header: 'Action',
    minWidth: 120,
    cell: (admin: PlatformAdmin) => (
      <Button
        variant="inline-link"
        ariaLabel={`${ACTION_LABELS.revoke}: ${nameOf(admin)}`}
        onClick={() => setRevoked(admin)}
      >
        Revoke
      </Button>
    ),
  };
  return (
    <SpaceBetween size="l">
      {done !== '' && <Announced type="success" header={done} />}
      <RowsTable<PlatformAdmin>
        query={usePlatformAdmins(filters)}
        title="Platform admins"
        columns={[...COLUMNS, actions]}
        rowId={({ user }) => user}
        empty="There are no platform admins."
        actions={<Button onClick={() => open(`${PLATFORM_PATH}?tab=people`)}>Choose a person to grant rights</Button>}
      />
      {revoked && (
        <AccountActionDialog
          person={{ id: revoked.user, name: nameOf(revoked) }}
          action="revoke"
          onDone={setDone}
          onClose={() => setRevoked(null)}
        />
      )}
    </SpaceBetween>
  );
}
