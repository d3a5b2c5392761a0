import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { Result } from 'chapter-membership-client';
import { send } from './send';

interface ListOptions<Data, Shown> {
  enabled?: boolean;
  /** For example that of `POLLED`; false: it is not repeated. */
  refetchInterval?: number | false;
  refetchIntervalInBackground?: boolean;
  /** Returns what the screen shows of the answer. */
  select?: (data: Data) => Shown;
}

/**
 * Reads a list. While it loads with other filters or another page, the earlier rows stay visible. They do not while it
 * is not enabled, for example because a search is empty.
 */
export const useList = <Data, Shown = Data>(
  queryKey: QueryKey,
  request: () => Promise<Result<Data>>,
  options: ListOptions<Data, Shown> = {},
) =>
  useQuery({
    queryKey,
    queryFn: () => send(request),
    ...(options.enabled !== false && { placeholderData: keepPreviousData }),
    ...options,
  });
