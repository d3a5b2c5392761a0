/** Requests of the start page: the two that it repeats. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';

const MAX_SHOWN = 5;

/** Counts what waits for the person. */
export const useSummary = () =>
  useQuery({
    queryKey: ['console-summary'],
    queryFn: () => send(() => client.GET('/api/console/summary/')),
    ...POLLED,
  });

/** The processes that have been stuck for longest. */
export const useOldestStuck = () =>
  useQuery({
    queryKey: ['processes', 'oldest-stuck'],
    queryFn: () =>
      send(() => client.GET('/api/processes/', { params: { query: { stuck: 'true', page_size: MAX_SHOWN } } })),
    ...POLLED,
  });
