import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Failure } from '../../parts/Failure';
import { Loading } from '../../parts/Loaded';
import { useMe } from '../../session/me';
import { NarrowPage } from '../../session/NarrowPage';
import { SignInPage } from '../../session/SignInPage';

/** Signs in, then opens the start screen. */
export function LoginPage() {
  const router = useRouter();
  const { data: me, error, refetch } = useMe();
  useEffect(() => {
    if (me) void router.navigate({ to: '/console', replace: true });
  }, [me, router]);
  if (me === null) return <SignInPage />;
  return (
    <NarrowPage title="Sign in">
      {error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />}
    </NarrowPage>
  );
}
