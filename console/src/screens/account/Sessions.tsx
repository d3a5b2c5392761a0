import Button from '@cloudscape-design/components/button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Time } from '../../parts/Time';
import { OwnRow } from './OwnRow';
import { OwnRows } from './OwnRows';

const KEY = ['sessions'];

export function Sessions() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const query = useQuery({ queryKey: KEY, queryFn: () => send(() => client.GET('/api/auth/sessions/')) });
  const end = useMutation({
    mutationFn: (id: string) => send(() => client.DELETE('/api/auth/sessions/{id}/', { params: { path: { id } } })),
    onSettled,
  });
  const endOthers = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/sessions/revoke-others/')),
    onSettled,
  });
  return (
    <OwnRows
      title="Sessions"
      query={query}
      error={end.error ?? endOthers.error}
      empty="There are no sessions."
      actions={
        <Button loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          End all other sessions
        </Button>
      }
    >
      {({ id, user_agent, ip_address, last_seen_at, is_current }) => (
        <OwnRow
          name={is_current ? 'This session' : (user_agent ?? 'Unknown device')}
          details={
            <>
              {ip_address && `${ip_address}, `}last active <Time at={last_seen_at} />
            </>
          }
          actions={
            !is_current && (
              <Button
                variant="inline-link"
                ariaLabel={`End the session of ${user_agent ?? 'an unknown device'}`}
                onClick={() => end.mutate(id)}
              >
                End
              </Button>
            )
          }
        />
      )}
    </OwnRows>
  );
}
