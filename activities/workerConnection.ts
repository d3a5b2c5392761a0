/** The workers' connection to Temporal. With several addresses it fails over when the current one is down. */
import net from 'node:net';
import { NativeConnection } from '@temporalio/worker';
import { temporalAddresses, temporalServer } from '../gateways/temporal/server.js';
import { log } from '../models/log.js';

const CHECK_INTERVAL_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;

/** An object whose connection can be replaced. */
interface HasConnection {
  connection: NativeConnection | undefined;
}

export interface WorkerConnection {
  first: NativeConnection;
  /** Checks periodically whether the current address answers, and moves all workers to another one if it does not. */
  startFailover(workers: readonly HasConnection[]): void;
  close(): Promise<void>;
}

/**
 * Connects to the first address that accepts a connection.
 * @throws Error when no address does
 */
export async function connectWorkers(): Promise<WorkerConnection> {
  const addresses = temporalAddresses();
  const first = await connectTo(addresses);
  let { address, connection } = first;
  let timer: NodeJS.Timeout | undefined;
  const checkAddress = async (workers: readonly HasConnection[]): Promise<void> => {
    if (await acceptsConnections(address)) return;
    const otherAddresses = addresses.filter((other) => other !== address);
    const next = await connectTo(otherAddresses).catch(() => undefined);
    // No address answers; the next check tries again.
    if (!next) return;
    log.warn({ part: 'temporal' }, 'the current Temporal address does not answer; switching to another address');
    const old = connection;
    ({ address, connection } = next);
    for (const worker of workers) worker.connection = connection;
    await old.close().catch(() => undefined);
  };
  return {
    first: connection,
    startFailover(workers) {
      if (addresses.length === 1) return;
      const scheduleCheck = (): void => {
        timer = setTimeout(
          () => void checkAddress(workers).catch(logFailure).then(scheduleCheck),
          CHECK_INTERVAL_MS,
        ).unref();
      };
      scheduleCheck();
    },
    async close() {
      clearTimeout(timer);
      await connection.close();
    },
  };
}

const logFailure = (error: Error): void =>
  log.warn({ err: error, part: 'temporal' }, 'could not switch to another Temporal address');

async function connectTo(addresses: readonly string[]): Promise<{ address: string; connection: NativeConnection }> {
  let failure: unknown;
  for (const address of addresses) {
    // A TCP probe answers within a moment; the connection itself would retry for long.
    if (addresses.length > 1 && !(await acceptsConnections(address))) continue;
    try {
      return { address, connection: await NativeConnection.connect(temporalServer(address)) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new Error('No Temporal address accepts connections.');
}

/** Reports whether the address accepts TCP connections. */
function acceptsConnections(address: string): Promise<boolean> {
  const { hostname: host, port } = new URL(`tcp://${address}`);
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port) });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}
