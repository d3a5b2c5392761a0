import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './Failure';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** Shows data, or that it loads, or why it cannot be loaded. Data of an earlier load stays visible when a reload fails. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined ? !error && <Loading /> : <div className="sections">{children(data)}</div>}
    </>
  );
}

export const Loading = () => (
  <Box textAlign="center" padding="xl" color="text-body-secondary">
    <Spinner /> Loading
  </Box>
);
