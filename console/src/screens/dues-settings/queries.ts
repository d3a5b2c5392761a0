/** Requests of the dues settings. Changes name the version that was shown; the API refuses one that is no longer current. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useFilters } from '../../parts/useFilters';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type DuesSettings = Schema<'OrgDuesSettings'>;
export type Term = Schema<'Term'>;
export type Rate = Schema<'DuesRate'>;

const SETTINGS = 'dues-settings';
const TERMS = 'terms';
const RATES = 'dues-rates';

/** Sends a change, and reads the rows again: also after a refusal, because another person may have changed them. */
function useChange<Change, Answer>(key: string, request: (change: Change) => Promise<Result<Answer>>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(() => request(change)),
    // A dialog closes without waiting for this read.
    onSettled: () => void queries.invalidateQueries({ queryKey: [key] }),
  });
}

export function useSettings() {
  const organization_id = useOrganizationId();
  return useQuery({
    queryKey: [SETTINGS, organization_id],
    queryFn: () =>
      send(() =>
        client.GET('/api/organizations/{organization_id}/dues-settings/', { params: { path: { organization_id } } }),
      ),
  });
}

export function useSettingsChange() {
  const queries = useQueryClient();
  const organization_id = useOrganizationId();
  const queryKey = [SETTINGS, organization_id];
  const params = { path: { organization_id } };
  return useMutation({
    mutationFn: (body: Schema<'OrgDuesSettingsEdit'>) =>
      send(() => client.PATCH('/api/organizations/{organization_id}/dues-settings/', { params, body })),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}

export function useTermRows() {
  const organization_id = useOrganizationId();
  const [filters] = useFilters();
  const query = { ...givenFilters(filters, ['page']), page_size: PAGE_SIZE };
  return useList([TERMS, organization_id, query], () =>
    client.GET('/api/organizations/{organization_id}/terms/', { params: { path: { organization_id }, query } }),
  );
}

interface TermTexts {
  name: string;
  starts_on: string;
  ends_on: string;
}

/** Creates a term, or changes one. */
export function useTermChange(term: Term | null) {
  const organization_id = useOrganizationId();
  return useChange<TermTexts, Term>(TERMS, (body) =>
    term
      ? client.PATCH('/api/organizations/{organization_id}/terms/{id}/', {
          params: { path: { organization_id, id: term.id } },
          body: { ...body, version: term.version },
        })
      : client.POST('/api/organizations/{organization_id}/terms/', { params: { path: { organization_id } }, body }),
  );
}

export function useRates() {
  const organization_id = useOrganizationId();
  const [filters] = useFilters();
  const query = { ...givenFilters(filters, ['term', 'status', 'page']), page_size: PAGE_SIZE };
  return useList([RATES, organization_id, query], () =>
    client.GET('/api/hq/dues/{organization_id}/rates/', { params: { path: { organization_id }, query } }),
  );
}

export function useNewRate() {
  const organization_id = useOrganizationId();
  return useChange(RATES, (body: Pick<Rate, 'term' | 'status' | 'amount_cents'>) =>
    client.POST('/api/hq/dues/{organization_id}/rates/', { params: { path: { organization_id } }, body }),
  );
}

export function useRateChange({ id, version }: Rate) {
  const organization_id = useOrganizationId();
  return useChange(RATES, (amount_cents: number) =>
    client.PATCH('/api/hq/dues/{organization_id}/rates/{id}/', {
      params: { path: { organization_id, id } },
      body: { amount_cents, version },
    }),
  );
}

export function useRateRemoval({ id }: Rate) {
  const organization_id = useOrganizationId();
  return useChange(RATES, () =>
    client.DELETE('/api/hq/dues/{organization_id}/rates/{id}/', { params: { path: { organization_id, id } } }),
  );
}
