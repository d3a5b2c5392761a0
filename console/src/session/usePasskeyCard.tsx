import Button from '@cloudscape-design/components/button';
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client';
import { send } from '../api/send';
import { describeFailure } from '../parts/Failure';
import type { Me } from './me';
import { deviceName, isCancelled, registerPasskey } from './passkeys';

const KEY = ['passkey-enrollment'];

/**
 * Returns the card that suggests a passkey; null if the person has one, or has dismissed the card in the last 30 days.
 */
export function usePasskeyCard(me: Me): FlashbarProps.MessageDefinition | null {
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => send(() => client.GET('/api/auth/passkeys/enrollment/')),
    enabled: !me.impersonation,
    staleTime: Infinity,
  });
  const dismiss = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/passkeys/enrollment/dismiss/')),
    onSettled: refresh,
  });
  const setUp = useMutation({ mutationFn: () => registerPasskey(deviceName()), onSettled: refresh });
  if (setUp.isSuccess)
    return {
      id: 'passkey',
      type: 'success',
      content: 'The passkey is set up. You can sign in with it from now on.',
      dismissible: true,
      dismissLabel: 'Close',
      onDismiss: () => setUp.reset(),
    };
  if (!data?.show) return null;
  const failure = setUp.error && !isCancelled(setUp.error) ? describeFailure(setUp.error) : null;
  return {
    id: 'passkey',
    type: failure ? 'error' : 'info',
    header: 'Set up a passkey',
    content: failure?.text ?? 'Sign in with your fingerprint, your face or a security key instead of a password.',
    action: (
      <Button loading={setUp.isPending} onClick={() => setUp.mutate()}>
        Set up a passkey
      </Button>
    ),
    dismissible: true,
    dismissLabel: 'Not now',
    onDismiss: () => dismiss.mutate(),
  };
}
