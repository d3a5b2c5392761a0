/** The connection to Temporal, opened when first used. */
import { Client, Connection } from '@temporalio/client';
import { config } from '../../config.js';
import { payloadCodecs } from './codec.js';

let client: Client | undefined;

export function temporal(): Client {
  client ??= new Client({
    connection: Connection.lazy({ address: config.TEMPORAL_ADDRESS, connectTimeout: 3_000 }),
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: { payloadCodecs: payloadCodecs() },
  });
  return client;
}

export async function closeTemporal(): Promise<void> {
  await client?.connection.close();
  client = undefined;
}

/** The queue's name on this deployment's server. */
export const queueName = (queue: string): string => config.TEMPORAL_TASK_QUEUE_PREFIX + queue;
