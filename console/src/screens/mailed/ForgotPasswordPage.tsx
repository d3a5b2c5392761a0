import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Failure, fieldError } from '../../parts/Failure';
import { MailedPage } from './MailedPage';

/** Requests a mail with a link to set a new password. The answer does not tell whether there is an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const request = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/password/reset/', { body: { email } })),
  });
  const fault = fieldError(request.error, 'email');
  return (
    <MailedPage title="Forgot your password?">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!request.isPending) request.mutate();
        }}
      >
        <SpaceBetween size="m">
          <FormField label="E-mail address" errorText={fault}>
            <Input
              type="email"
              autoComplete="username"
              value={email}
              onChange={({ detail }) => setEmail(detail.value)}
            />
          </FormField>
          {request.isSuccess && (
            <Alert type="success">If there is an account with this address, a mail with a link is on its way.</Alert>
          )}
          {request.error && !fault && <Failure error={request.error} />}
          <Button variant="primary" formAction="submit" loading={request.isPending}>
            Send me a link
          </Button>
          <Link href="/auth/login">Back to sign in</Link>
        </SpaceBetween>
      </form>
    </MailedPage>
  );
}
