import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Failure, fieldError } from '../../parts/Failure';
import { MailedPage, useToken } from './MailedPage';
import { PasswordField } from './PasswordField';

/** Sets a new password with the token of the mail. */
export function ResetPasswordPage() {
  const token = useToken();
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      send(() => client.POST('/api/auth/password/reset/confirm/', { body: { token, new_password: password } })),
  });
  const fault = fieldError(reset.error, 'new_password');
  if (reset.isSuccess)
    return (
      <MailedPage title="Password changed">
        <Alert type="success">Your new password is set, and all sessions have ended.</Alert>
        <Link href="/auth/login">Sign in</Link>
      </MailedPage>
    );
  return (
    <MailedPage title="Choose a new password" token={token}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!reset.isPending) reset.mutate();
        }}
      >
        <SpaceBetween size="m">
          <PasswordField label="New password" value={password} fault={fault} onChange={setPassword} />
          {reset.error && !fault && <Failure error={reset.error} />}
          <Button variant="primary" formAction="submit" loading={reset.isPending}>
            Set the password
          </Button>
          <Link href="/auth/forgot-password">Request another link</Link>
        </SpaceBetween>
      </form>
    </MailedPage>
  );
}
