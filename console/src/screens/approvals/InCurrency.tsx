import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Cents } from '../../parts/Cents';
import { useOrganizationId } from '../../parts/useOrganizationId';

/** An amount in the organization's currency. It is shown once the currency is known. */
export function InCurrency({ cents }: { cents: number }) {
  const organization_id = useOrganizationId();
  const { data: currency } = useQuery({
    queryKey: ['currency', organization_id],
    queryFn: async () => {
      const params = { path: { organization_id } };
      return (await send(() => client.GET('/api/organizations/{organization_id}/dues-settings/', { params }))).currency;
    },
    staleTime: Infinity,
  });
  return currency ? <Cents cents={cents} currency={currency} /> : null;
}
