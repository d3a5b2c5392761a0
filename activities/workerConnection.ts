/** The workers' connection to Temporal; with several addresses it fails over when the current one is down. */
import net from 'node:net';
import { NativeConnection } from '@temporalio/worker';
import { temporalAddresses, temporalServer } from '../gateways/temporal/server.js';
import { log } from '../models/log.js';

const LOOK_MS = 1_000;
const PATIENCE_MS = 2_000;

/** An object whose connection can be replaced. */
interface Connected {
  connection: NativeConnection | undefined;
}

export interface WorkerConnection {
  first: NativeConnection;
  /** Checks periodically whether the current address answers, and moves all workers to another one if it does not. */
  keep(workers: readonly Connected[]): void;
  close(): Promise<void>;
}

/** Connects to the first address that answers. @throws Error when none does */
export async function connectWorkers(): Promise<WorkerConnection> {
  const addresses = temporalAddresses();
  const first = await connectTo(addresses);
  let { address, connection } = first;
  let timer: NodeJS.Timeout | undefined;
  const look = async (workers: readonly Connected[]): Promise<void> => {
    if (await answers(address)) return;
    const others = addresses.filter((other) => other !== address);
    const next = await connectTo(others).catch(() => undefined);
    // No address answers; the next check tries again.
    if (!next) return;
    log.warn({ part: 'temporal' }, 'the address of Temporal in use is gone: the worker moves on to another');
    const old = connection;
    ({ address, connection } = next);
    for (const worker of workers) worker.connection = connection;
    await old.close().catch(() => undefined);
  };
  return {
    first: connection,
    keep(workers) {
      if (addresses.length === 1) return;
      const again = (): void => {
        timer = setTimeout(() => void look(workers).catch(complain).then(again), LOOK_MS).unref();
      };
      again();
    },
    async close() {
      clearTimeout(timer);
      await connection.close();
    },
  };
}

const complain = (error: Error): void => log.warn({ err: error, part: 'temporal' }, 'the worker could not move on');

async function connectTo(addresses: readonly string[]): Promise<{ address: string; connection: NativeConnection }> {
  let failure: unknown;
  for (const address of addresses) {
    // A TCP probe answers within a moment; the connection itself would retry for long.
    if (addresses.length > 1 && !(await answers(address))) continue;
    try {
      return { address, connection: await NativeConnection.connect(temporalServer(address)) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new Error('No address of Temporal answers.');
}

/** Whether the address accepts TCP connections. */
function answers(address: string): Promise<boolean> {
  const { hostname: host, port } = new URL(`tcp://${address}`);
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port) });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => finish(false));
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}
