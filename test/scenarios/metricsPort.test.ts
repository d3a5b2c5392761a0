/** The API's metrics while something is wrong around it. */
import net, { type AddressInfo } from 'node:net';
import { Client } from '../support/api.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { scrape } from '../support/scrape.js';

let silent: net.Server;
const started: OwnProcess[] = [];

const portOf = (server: net.Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  // Accepts connections and never answers, which is worse than a server that is down.
  silent = net.createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL');
  silent.close();
});

test('a scrape is answered while the database hangs, and reports the outage', async () => {
  const url = `postgres://somebody:secret@127.0.0.1:${portOf(silent)}/nothing`;
  const own = await startOwn('api', { DATABASE_URL: url, METRICS_PORT: '0' }, 'metrics');
  started.push(own);
  // The database hangs until the tests end: this answer did not wait for it.
  const { value } = await scrape(own.metricsPort);
  expect(value('membership_database_up')).toBe(0);
  expect(value('membership_outbox_waiting')).toBeUndefined();
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('a metrics port that is already in use disables the metrics and not the API', async () => {
  const own = await startOwn('api', { METRICS_PORT: String(portOf(silent)) });
  started.push(own);
  expect((await new Client(`http://127.0.0.1:${own.port}`).get('/healthz/')).status).toBe(200);
});
