import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { send } from '../api/send';
import { Failure, fieldError } from '../parts/Failure';
import { PASSWORD_RULE } from './passwordRule';

/** Changes the password. All other sessions of the account end. */
export function PasswordChangeForm({ onChanged }: { onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const change = useMutation({
    mutationFn: () =>
      send(() =>
        client.POST('/api/auth/password/change/', { body: { current_password: current, new_password: chosen } }),
      ),
    onSuccess: () => {
      setCurrent('');
      setChosen('');
      onChanged();
    },
  });
  const faults = {
    current: fieldError(change.error, 'current_password'),
    chosen: fieldError(change.error, 'new_password'),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      <SpaceBetween size="m">
        <FormField label="Current password" errorText={faults.current}>
          <Input
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={({ detail }) => setCurrent(detail.value)}
          />
        </FormField>
        <FormField label="New password" description={PASSWORD_RULE} errorText={faults.chosen}>
          <Input
            type="password"
            autoComplete="new-password"
            value={chosen}
            onChange={({ detail }) => setChosen(detail.value)}
          />
        </FormField>
        {change.error && !faults.current && !faults.chosen && <Failure error={change.error} />}
        <Button formAction="submit" variant="primary" loading={change.isPending}>
          Change the password
        </Button>
      </SpaceBetween>
    </form>
  );
}
