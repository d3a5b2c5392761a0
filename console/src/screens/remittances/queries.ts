/** Requests of the remittance screens. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { isRefusedAs, send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';

export type RemittanceRow = Schema<'RemittanceSummary'>;
export type Remittance = Schema<'Remittance'>;
export type Proposal = Schema<'RemittanceRepairProposal'>;
export type Change = Proposal['changes'][number];

const FILTERS = ['chapter', 'status', 'ordering', 'page'];

/** The list with the filters of the address. */
export function useRemittances(filters: Record<string, string | undefined>) {
  const query = { ...givenFilters(filters, FILTERS), page_size: PAGE_SIZE };
  return useList(['remittances', query], () => client.GET('/api/billing/remittances/', { params: { query } }), POLLED);
}

const remittanceKey = (id: string): string[] => ['remittance', id];
const proposalKey = (id: string): string[] => ['repair-proposal', id];

export const useRemittance = (id: string) =>
  useQuery({
    queryKey: remittanceKey(id),
    queryFn: () => send(() => client.GET('/api/billing/remittances/{id}/', { params: { path: { id } } })),
    ...POLLED,
  });

/**
 * The proposal, as it was when it was loaded: a newer one replaces it only after the API has refused it, or while a
 * refund is pending. The person decides about the proposal that is shown.
 */
export const useProposal = (id: string) =>
  useQuery({
    queryKey: proposalKey(id),
    queryFn: () =>
      send(() => client.GET('/api/billing/remittances/{id}/repair-proposal/', { params: { path: { id } } })),
    ...POLLED,
    refetchInterval: ({ state: { data } }) => (data?.refunding_cents ? POLLED.refetchInterval : false),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export type Action = 'resolve' | 'refund';

interface Decision {
  action: Action;
  proposal_hash: string;
  reason: string;
}

interface Observers {
  onDone: (remittance: Remittance) => void;
  onStale: () => void;
}

/**
 * Allocates the money as proposed, or refunds the part that no invoice can take. The observers are called before the new
 * data is shown, which removes the proposal and its dialog.
 */
export function useDecision(id: string, { onDone, onStale }: Observers) {
  const queries = useQueryClient();
  const params = { path: { id } };
  return useMutation({
    mutationFn: ({ action, proposal_hash, reason }: Decision): Promise<Remittance> =>
      send<Remittance>(() =>
        action === 'resolve'
          ? client.POST('/api/billing/remittances/{id}/resolve/', {
              params,
              body: { proposal_hash, resolution_note: reason },
            })
          : client.POST('/api/billing/remittances/{id}/refund-unplaced/', { params, body: { proposal_hash, reason } }),
      ),
    onSuccess: (remittance) => {
      onDone(remittance);
      queries.setQueryData(remittanceKey(id), remittance);
      if (remittance.status === 'needs_reconciliation') void queries.invalidateQueries({ queryKey: proposalKey(id) });
      else queries.removeQueries({ queryKey: proposalKey(id) });
    },
    onError: (error) => {
      if (isRefusedAs(error, 'proposal_stale')) {
        onStale();
        void queries.invalidateQueries({ queryKey: proposalKey(id) });
      }
      // After a lost answer, the state tells what has happened.
      void queries.invalidateQueries({ queryKey: remittanceKey(id) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['remittances'] }),
  });
}
