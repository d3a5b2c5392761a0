import Button from '@cloudscape-design/components/button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Time } from '../../parts/Time';
import { deviceName, isCancelled, registerPasskey } from '../../session/passkeys';
import { OwnRow } from './OwnRow';
import { OwnRows } from './OwnRows';

const KEY = ['passkeys'];

export function Passkeys() {
  const queries = useQueryClient();
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['passkey-enrollment'] });
  };
  const query = useQuery({ queryKey: KEY, queryFn: () => send(() => client.GET('/api/auth/passkeys/')) });
  const add = useMutation({ mutationFn: () => registerPasskey(deviceName()), onSettled: refresh });
  const remove = useMutation({
    mutationFn: (id: string) => send(() => client.DELETE('/api/auth/passkeys/{id}/', { params: { path: { id } } })),
    onSettled: refresh,
  });
  const error = remove.error ?? (isCancelled(add.error) ? null : add.error);
  return (
    <OwnRows
      title="Passkeys"
      query={query}
      error={error}
      empty="You have no passkey yet. With one, you sign in without a password."
      actions={
        <Button loading={add.isPending} onClick={() => add.mutate()}>
          Add a passkey
        </Button>
      }
    >
      {({ id, name, created_at, last_used_at, needs_reenrollment }) => (
        <OwnRow
          name={name}
          details={
            <>
              added <Time at={created_at} />
              {last_used_at && (
                <>
                  , last used <Time at={last_used_at} />
                </>
              )}
              {needs_reenrollment && '. It may have been copied and can no longer sign in: add a new one.'}
            </>
          }
          actions={
            <Button variant="inline-link" ariaLabel={`Remove ${name}`} onClick={() => remove.mutate(id)}>
              Remove
            </Button>
          }
        />
      )}
    </OwnRows>
  );
}
