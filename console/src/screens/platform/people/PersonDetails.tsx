import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { PLATFORM_PATH } from '../../../api/tenant';
import { Announced } from '../../../parts/Announced';
import { LinkTo } from '../../../parts/LinkTo';
import { Time } from '../../../parts/Time';
import { useFilters } from '../../../parts/useFilters';
import { AccountActionDialog, ACTION_LABELS } from './AccountActionDialog';
import type { AccountAction, Person } from './queries';

/** A person's name, behind which the account opens: its facts, its entries in the log, and the actions on it. */
export function PersonDetails({ person }: { person: Person }) {
  const { id, created_at, must_change_password, is_platform_admin, is_disabled } = person;
  const [{ person: opened, page }, change] = useFilters();
  const [action, setAction] = useState<AccountAction | null>(null);
  const [done, setDone] = useState('');
  const name = `${person.first_name} ${person.last_name}`;
  const actions: AccountAction[] = [is_disabled ? 'enable' : 'disable', is_platform_admin ? 'revoke' : 'grant'];
  return (
    <ExpandableSection
      headerText={name}
      headerAriaLabel={`${name}: account`}
      expanded={opened === id}
      onChange={({ detail }) => change({ page, person: detail.expanded ? id : undefined })}
    >
      <SpaceBetween size="m">
        {done !== '' && <Announced type="success" header={done} />}
        <KeyValuePairs
          columns={1}
          items={[
            { label: 'Platform admin', value: is_platform_admin ? 'Yes' : 'No' },
            {
              label: 'Password',
              value: must_change_password ? 'Must be changed at the next sign-in' : 'Needs no change',
            },
            { label: 'Account created', value: <Time at={created_at} /> },
            {
              label: 'Platform log',
              value: (
                <>
                  <LinkTo href={`${PLATFORM_PATH}?tab=log&subject_id=${id}`}>Changes of the account</LinkTo>
                  {', '}
                  <LinkTo href={`${PLATFORM_PATH}?tab=log&actor=${id}`}>changes by the person</LinkTo>
                </>
              ),
            },
          ]}
        />
        <SpaceBetween size="xs">
          {actions.map((offered) => (
            <Button key={offered} onClick={() => setAction(offered)}>
              {ACTION_LABELS[offered]}
            </Button>
          ))}
        </SpaceBetween>
      </SpaceBetween>
      {action && (
        <AccountActionDialog person={{ id, name }} action={action} onDone={setDone} onClose={() => setAction(null)} />
      )}
    </ExpandableSection>
  );
}
