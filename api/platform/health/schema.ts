import { z } from 'zod';
import { TASK_QUEUES } from '../../../workflows/contracts/index.js';

const HEALTH_CHECKS = ['database', 'migrations', 'temporal', 'task_queues', 'outbox', 'schedules'] as const;

const HealthStatus = z
  .enum(['ok', 'degraded', 'failing'])
  .meta({ description: '`degraded`: it works with restrictions. `failing`: work stops or is not done.' });

const names = (description: string) => z.array(z.string()).optional().meta({ description });

const HealthCheckJson = z
  .object({
    name: z.enum(HEALTH_CHECKS),
    status: HealthStatus,
    detail: z.string().meta({ description: 'The finding, in one sentence.' }),
    advice: z.string().nullable().meta({ description: 'What to do, in one sentence; null if the status is `ok`.' }),
    replica_lag_seconds: z
      .number()
      .nullable()
      .optional()
      .meta({ description: '`database`, with a read replica: its lag; null if it is unknown.' }),
    pending: names('`migrations`: migrations and definitions that are not applied.'),
    unserved: z
      .array(z.enum(TASK_QUEUES))
      .optional()
      .meta({ description: '`task_queues`: queues that no worker has polled for more than a minute.' }),
    waiting: z.int().optional().meta({ description: '`outbox`: rows that are not dispatched yet.' }),
    oldest_seconds: z.number().optional().meta({ description: '`outbox`: age of the oldest such row.' }),
    missing: names('`schedules`: schedules that do not exist in Temporal.'),
    paused: names('`schedules`: schedules that an operator paused.'),
    overdue: names('`schedules`: schedules whose last run began too long ago.'),
  })
  .meta({ id: 'PlatformHealthCheck', description: 'Figures are present if the check could be made.' });

export type HealthCheck = z.output<typeof HealthCheckJson>;

export const PlatformHealthJson = z
  .object({
    status: HealthStatus.meta({ description: 'The worst status of the checks.' }),
    checks: z.array(HealthCheckJson),
  })
  .meta({ id: 'PlatformHealth' });
