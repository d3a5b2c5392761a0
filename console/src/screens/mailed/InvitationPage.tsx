import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client';
import { isRefusedAs, send } from '../../api/send';
import { Failure, fieldError } from '../../parts/Failure';
import { MailedPage, useToken } from './MailedPage';
import { PasswordField } from './PasswordField';

/** Accepts or declines an invitation. The field for a password appears once the API asks for one. */
export function InvitationPage() {
  const token = useToken();
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      send(() =>
        client.POST('/api/auth/invitations/accept/', { body: { token, ...(password === '' ? {} : { password }) } }),
      ),
  });
  const decline = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/invitations/decline/', { body: { token } })),
  });
  const fault = fieldError(accept.error, 'password');
  const needsPassword = fault !== undefined || password !== '' || isAboutPassword(accept.error);
  if (accept.isSuccess)
    return (
      <MailedPage title="Welcome">
        <Alert type="success">{`You have joined ${accept.data.organization.name}.`}</Alert>
        <Link href="/auth/login">Sign in</Link>
      </MailedPage>
    );
  if (decline.isSuccess)
    return (
      <MailedPage title="Invitation declined">
        <Box>You have declined the invitation, and your address is erased.</Box>
      </MailedPage>
    );
  return (
    <MailedPage title="You are invited" token={token}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!accept.isPending) accept.mutate();
        }}
      >
        <SpaceBetween size="m">
          <Box>You join the organization only if you accept. If you decline, your address is erased.</Box>
          {needsPassword && (
            <PasswordField label="Choose a password" value={password} fault={fault} onChange={setPassword} />
          )}
          {accept.error && !fault && <Failure error={accept.error} />}
          {decline.error && <Failure error={decline.error} />}
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="primary" formAction="submit" loading={accept.isPending}>
              Accept
            </Button>
            <Button formAction="none" loading={decline.isPending} onClick={() => decline.mutate()}>
              Decline
            </Button>
          </SpaceBetween>
        </SpaceBetween>
      </form>
    </MailedPage>
  );
}

const isAboutPassword = (error: unknown): boolean => isRefusedAs(error, 'password_not_kept');
