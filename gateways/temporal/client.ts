/** The connection to Temporal, opened on first use. */
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import { config } from '../../config.js';
import { channelTo } from './channels.js';
import { dataConverter } from './codec.js';
import { temporalAddresses, temporalServer } from './server.js';

/**
 * Number of attempts of a call, to bridge short failures. The SDK's default of ten attempts takes twenty seconds,
 * longer than callers wait; the outbox retries anyway.
 */
const MAX_ATTEMPTS = 3;

let client: Client | undefined;

export function temporal(): Client {
  client ??= new Client({
    connection: Connection.lazy({
      ...temporalServer(),
      ...(temporalAddresses().length > 1 ? { channelArgs: channelTo(temporalAddresses()) } : {}),
      connectTimeout: 3_000,
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: MAX_ATTEMPTS }))],
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

/** Returns the name of a task queue, with the prefix of this deployment. */
export const queueName = (queue: string): string => config.TEMPORAL_TASK_QUEUE_PREFIX + queue;
