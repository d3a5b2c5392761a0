import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../api/client';
import { rememberReturn } from './returnAddress';

const DEBOUNCE_MS = 500;

/** Returns a value once it has not changed for half a second. */
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Buttons of the identity providers of the address's domain. */
export function ProviderButtons({ email }: { email: string }) {
  const domain = /@([^@\s]+\.[^@\s.]{2,})$/.exec(useDebounced(email))?.[1];
  const { data } = useQuery({
    queryKey: ['sso-discovery', domain],
    queryFn: async () => {
      const result = await client.GET('/api/auth/sso/discover/', { params: { query: { domain: domain ?? '' } } });
      // A typed address may be wrong: then there are no buttons.
      return result.ok ? result.data.providers : [];
    },
    enabled: domain !== undefined,
    staleTime: Infinity,
  });
  if (!data?.length) return null;
  return (
    <SpaceBetween size="xs">
      {data.map(({ name, slug, kind, login_url, organization }) => (
        <Button key={`${kind}/${slug}`} fullWidth href={login_url} onFollow={rememberReturn}>
          {`Continue with ${name} (${organization.name})`}
        </Button>
      ))}
    </SpaceBetween>
  );
}
