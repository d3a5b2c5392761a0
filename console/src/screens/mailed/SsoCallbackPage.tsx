import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '../../api/client';
import { type Failure as FailureOf, RequestFailed } from '../../api/send';
import { Failure } from '../../parts/Failure';
import { Loading } from '../../parts/Loaded';
import { takeReturn } from '../../session/returnAddress';
import { MailedPage } from './MailedPage';

/** Sentences for the reasons in the address. Other reasons are shown by their name. */
const REASONS: Readonly<Record<string, string>> = {
  flow_expired: 'The sign-in took too long or was already used. Start again.',
  connection_inactive: 'Signing in through this identity provider is switched off. Ask an administrator.',
  provider_refused: 'The identity provider refused the sign-in, or it was cancelled.',
  provider_unavailable: 'The identity provider does not answer. Try again in a few minutes.',
  email_missing: 'The identity provider did not send your e-mail address. Ask an administrator.',
  email_unverified: 'The identity provider has not verified your e-mail address.',
  email_domain_not_allowed: 'Addresses of your domain may not sign in here.',
  no_account: 'There is no account for your address in this organization. Ask an administrator.',
  access_ended: 'You no longer have access through this identity provider. Ask an administrator.',
  throttled: 'Too many sign-ins. Wait a minute, then try again.',
  temporarily_unavailable: 'Signing in is not possible right now. Try again in a minute.',
};

// The code is valid once: an exchange in flight must not be repeated when the page renders again.
let exchanged: string | undefined;

/** Ends a sign-in at an identity provider: exchanges its code for a session, then opens the screen from before. */
export function SsoCallbackPage() {
  const { code, error }: { code?: string; error?: string } = useSearch({ strict: false });
  const [failure, setFailure] = useState<FailureOf | null>(null);
  useEffect(() => {
    if (code === undefined || exchanged === code) return;
    exchanged = code;
    const exchange = async (): Promise<void> => {
      const result = await client.POST('/api/auth/sso/exchange/', { body: { code } });
      if (result.ok) window.location.replace(takeReturn());
      else setFailure(result);
    };
    void exchange();
  }, [code]);
  if (code !== undefined && !failure)
    return (
      <MailedPage title="Signing in">
        <Loading />
      </MailedPage>
    );
  return (
    <MailedPage title="You are not signed in">
      {failure ? (
        <Failure error={new RequestFailed(failure)} />
      ) : (
        <Alert type="error">{REASONS[error ?? ''] ?? `The sign-in failed (${error ?? 'no code'}).`}</Alert>
      )}
      <Link href="/auth/login">Sign in another way</Link>
    </MailedPage>
  );
}
