import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
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
import { ProviderButtons } from './ProviderButtons';
import { isCancelled, provePasskey } from './passkeys';

const NO_PASSKEY = 'No passkey was used. Try again, or sign in with your password.';

async function signInWithPasskey(): Promise<void> {
  const credential = await provePasskey();
  const result = await client.POST('/api/auth/passkeys/authenticate/complete/', { body: { credential } });
  if (!result.ok) throw new RequestFailed(result);
}

async function signInWithPassword(body: { email: string; password: string }): Promise<void> {
  const result = await client.POST('/api/auth/login/', { body });
  if (!result.ok) throw new RequestFailed(result);
}

/** Signs in by passkey, whose button has the focus, by password, or at the identity provider of the address. */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const passkeyButton = useFocusedInput<ButtonProps.Ref>();
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  const byPassword = useMutation({ mutationFn: signInWithPassword, onSuccess: onSignedIn });
  return (
    <SpaceBetween size="l">
      <Button
        ref={passkeyButton}
        variant="primary"
        iconName="key"
        fullWidth
        loading={byPasskey.isPending}
        onClick={() => byPasskey.mutate()}
      >
        Sign in with a passkey
      </Button>
      {byPasskey.error &&
        (isCancelled(byPasskey.error) ? <Alert type="info">{NO_PASSKEY}</Alert> : <Failure error={byPasskey.error} />)}
      <Box variant="p" color="text-body-secondary" textAlign="center">
        or with your e-mail address
      </Box>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!byPassword.isPending) byPassword.mutate({ email, password });
        }}
      >
        <SpaceBetween size="m">
          <FormField label="E-mail address">
            <Input
              type="email"
              autoComplete="username"
              value={email}
              onChange={({ detail }) => setEmail(detail.value)}
            />
          </FormField>
          <ProviderButtons email={email} />
          <FormField label="Password">
            <Input
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={({ detail }) => setPassword(detail.value)}
            />
          </FormField>
          {byPassword.error && <Failure error={byPassword.error} />}
          <Button fullWidth formAction="submit" loading={byPassword.isPending}>
            Sign in with your password
          </Button>
        </SpaceBetween>
      </form>
    </SpaceBetween>
  );
}
