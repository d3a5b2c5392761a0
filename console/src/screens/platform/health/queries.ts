/** Requests of the platform's health. */
import { useQuery } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../../../api/client';
import { send } from '../../../api/send';

export type HealthCheck = Schema<'PlatformHealthCheck'>;

/** Each read asks the database and Temporal several times, so it is repeated less often than other reads. */
const INTERVAL_MS = 60_000;

export const useHealth = () =>
  useQuery({
    queryKey: ['platform-health'],
    queryFn: () => send(() => client.GET('/api/platform/health/')),
    refetchInterval: INTERVAL_MS,
    refetchIntervalInBackground: false,
  });
