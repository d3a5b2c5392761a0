/** The connection to Temporal, opened when first used. */
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import { config } from '../../config.js';
import { channelTo } from './channels.js';
import { dataConverter } from './codec.js';
import { temporalAddresses, temporalServer } from './server.js';

/** Bridges a moment. The SDK's own ten tries take twenty seconds, whatever the caller's patience; the outbox tries again anyway. */
const TRIES = 3;

let client: Client | undefined;

export function temporal(): Client {
  client ??= new Client({
    connection: Connection.lazy({
      ...temporalServer(),
      ...(temporalAddresses().length > 1 ? { channelArgs: channelTo(temporalAddresses()) } : {}),
      connectTimeout: 3_000,
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: TRIES }))],
    }),
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: dataConverter(),
    interceptors: { workflow: config.tracing ? [new OpenTelemetryWorkflowClientInterceptor()] : [] },
  });
  return client;
}

export async function closeTemporal(): Promise<void> {
  await client?.connection.close();
  client = undefined;
}

/** The queue's name on this deployment's server. */
export const queueName = (queue: string): string => config.TEMPORAL_TASK_QUEUE_PREFIX + queue;
