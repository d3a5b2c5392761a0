import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Failure } from '../../parts/Failure';
import { MailedPage, useToken } from './MailedPage';

/** Verifies an address on a click, because mail scanners open links too. */
export function VerifyEmailPage() {
  const token = useToken();
  const verify = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/emails/verify/', { body: { token } })),
  });
  return (
    <MailedPage title="Verify your e-mail address" token={token}>
      {verify.isSuccess ? (
        <Alert type="success">Your address is verified.</Alert>
      ) : (
        <>
          <Box>Confirm that this address is yours.</Box>
          {verify.error && <Failure error={verify.error} />}
          <Button variant="primary" loading={verify.isPending} onClick={() => verify.mutate()}>
            Verify the address
          </Button>
        </>
      )}
      <Link href="/account/security">Account and security</Link>
    </MailedPage>
  );
}
