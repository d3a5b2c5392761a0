import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client';
import { send } from '../api/send';
import { readableIn, toHex } from './contrast';

/** Colours the header and the primary buttons in the organization's colour, in the modes in which they stay readable. */
export function useOrganizationTheme(organizationId: string | undefined): void {
  const { data: color } = useQuery({
    queryKey: ['primary-color', organizationId],
    queryFn: async () => {
      const params = { path: { organization_id: organizationId ?? '' } };
      return (await send(() => client.GET('/api/organizations/{organization_id}/', { params }))).primary_color;
    },
    enabled: organizationId !== undefined,
    staleTime: Infinity,
  });
  useEffect(() => {
    const hex = color ? toHex(color) : null;
    if (hex === null || readableIn(hex).length === 0) return;
    // Loaded only now: most of it is the list of all design tokens.
    void import('./theme').then(({ applyColor }) => applyColor(hex));
  }, [color]);
}
