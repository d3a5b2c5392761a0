import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMe } from '../../session/me';
import { SignInPage } from '../../session/SignInPage';

/** Signs in, then opens the start screen. */
export function LoginPage() {
  const router = useRouter();
  const { data: me } = useMe();
  useEffect(() => {
    if (me) void router.navigate({ to: '/console', replace: true });
  }, [me, router]);
  return me === null ? <SignInPage /> : null;
}
