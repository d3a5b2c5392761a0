/** A cluster with several addresses: client and worker find one that answers, and change when it is gone. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { NativeConnection } from '@temporalio/worker';
import { connectWorkers } from '../../activities/workerConnection.js';
import { config } from '../../config.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { eventually } from '../support/platform.js';

const address = config.TEMPORAL_ADDRESS;
/** No server listens there. */
const GONE = '127.0.0.1:1';

interface Line {
  address: string;
  close(): Promise<void>;
}
let lines: Line[] = [];

/** A proxy to the real server that can be cut. */
async function aWayThere(): Promise<Line> {
  const [host, port] = address.split(':');
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const upstream = net.connect(Number(port), host);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) sockets.add(end.on('error', () => end.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const line = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  lines.push(line);
  return line;
}

async function use(...addresses: string[]): Promise<void> {
  await closeTemporal();
  Object.assign(config, { TEMPORAL_ADDRESS: addresses.join() });
}

afterEach(async () => {
  await use(address);
  for (const line of lines) await line.close();
  lines = [];
});

const ask = () => temporal().workflowService.describeNamespace({ namespace: config.TEMPORAL_NAMESPACE });

test('a client finds the address that answers, and the next one when that is gone', async () => {
  const [first, second] = [await aWayThere(), await aWayThere()];
  await use(GONE, first.address, second.address);
  expect((await ask()).namespaceInfo?.name).toBe(config.TEMPORAL_NAMESPACE);
  await first.close();
  expect((await ask()).namespaceInfo?.name).toBe(config.TEMPORAL_NAMESPACE);
});

test('a client reports within seconds when no address answers', async () => {
  await use(GONE, '127.0.0.1:2');
  await expect(ask()).rejects.toThrow(/UNAVAILABLE/);
});

test('workers begin with an address that answers, and change the connection when it is gone', async () => {
  const [first, second] = [await aWayThere(), await aWayThere()];
  await use(GONE, first.address, second.address);
  const connection = await connectWorkers();
  const worker: { connection: NativeConnection | undefined } = { connection: connection.first };
  connection.startFailover([worker]);
  try {
    await connection.first.workflowService.getSystemInfo({});
    await first.close();
    const next = await eventually(
      async () => worker.connection as NativeConnection,
      (current) => current !== connection.first,
      60,
    );
    await next.workflowService.getSystemInfo({});
  } finally {
    await connection.close();
  }
});

test('search attributes are registered once, also by simultaneous starts', async () => {
  await Promise.all(Array.from({ length: 4 }, () => registerSearchAttributes()));
});
