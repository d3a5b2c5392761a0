/** The workers' connection to Temporal; where the cluster has several addresses, it moves on when the one in use is gone. */
import net from 'node:net';
import { NativeConnection } from '@temporalio/worker';
import { temporalAddresses, temporalServer } from '../gateways/temporal/server.js';
import { log } from '../models/log.js';

const LOOK_MS = 1_000;
const PATIENCE_MS = 2_000;

/** What can be told to use another connection. */
interface Connected {
  connection: NativeConnection | undefined;
}

export interface WorkerConnection {
  first: NativeConnection;
  /** Looks from time to time whether the address in use still answers, and moves all of them to another if it does not. */
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
    // None of them answers: whichever comes back is found at the next look.
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
    // Known in a moment; the connection itself would be tried for long.
    if (addresses.length > 1 && !(await answers(address))) continue;
    try {
      return { address, connection: await NativeConnection.connect(temporalServer(address)) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new Error('No address of Temporal answers.');
}

/** Whether somebody accepts connections there. */
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
