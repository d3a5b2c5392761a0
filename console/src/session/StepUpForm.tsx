import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { RequestFailed } from '../api/send';
import { Failure } from '../parts/Failure';
import { useFocusedInput } from '../parts/useFocusedInput';
import { isCancelled, provePasskey } from './passkeys';

/** @param password absent: a passkey is asked for */
async function stepUp(password?: string): Promise<void> {
  const proof = password === undefined ? { passkey: await provePasskey() } : { password };
  const result = await client.POST('/api/auth/step-up/', { body: proof });
  if (!result.ok) throw new RequestFailed(result);
}

/** Marks the session as recently authenticated, by passkey or password. */
export function StepUpForm({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const passkeyButton = useFocusedInput<ButtonProps.Ref>();
  const proof = useMutation({ mutationFn: stepUp, onSuccess: onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!proof.isPending) proof.mutate(password);
      }}
    >
      <SpaceBetween size="m">
        <Button
          ref={passkeyButton}
          variant="primary"
          iconName="key"
          fullWidth
          formAction="none"
          loading={proof.isPending}
          onClick={() => proof.mutate(undefined)}
        >
          Use a passkey
        </Button>
        <FormField label="Password">
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={({ detail }) => setPassword(detail.value)}
          />
        </FormField>
        {proof.error && !isCancelled(proof.error) && <Failure error={proof.error} />}
        <Button fullWidth formAction="submit" loading={proof.isPending}>
          Use the password
        </Button>
      </SpaceBetween>
    </form>
  );
}
