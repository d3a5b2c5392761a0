/** The client of clamd, against a stand-in that speaks its protocol, and against servers that do not. */
import net from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { EICAR, type ScanStandin, startScanStandin } from '../../development/standins/scan/server.js';
import { clamd } from '../../gateways/scan/clamd.js';
import { ScannerUnavailable } from '../../gateways/scan/port.js';

let standin: ScanStandin;
const servers: net.Server[] = [];
beforeAll(async () => {
  standin = await startScanStandin({ port: 0 });
});
afterAll(async () => {
  await standin.close();
  for (const server of servers) server.close();
});
beforeEach(() => {
  standin.state.fault = 'none';
});

const scan = (bytes: Readable, { port = standin.port, timeoutMs = 5_000, mostBytes = 1_000_000 } = {}) =>
  clamd({ host: '127.0.0.1', port, timeoutMs, maxBytes: mostBytes }).scan(bytes);
const text = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
/** Sends this to every client, regardless of its request. */
async function saying(...answers: string[]): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
    for (const answer of answers) socket.write(answer);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as net.AddressInfo).port;
}

test('a file is clean, or infected with its signature at any position and in any chunks', async () => {
  expect(await scan(text('a letter'))).toEqual({ clean: true });
  const [first, second] = [EICAR.slice(0, 20), EICAR.slice(20)];
  expect(await scan(text('%PDF-1.7 ', first, '', second, ' and more'))).toEqual({
    clean: false,
    signature: 'Eicar-Test-Signature',
  });
  const large = Readable.from(Array.from({ length: 15 }, () => Buffer.alloc(65_536, 'x')));
  expect(await scan(large)).toEqual({ clean: true });
  // An answer in chunks is one answer; bytes after it are ignored.
  const port = await saying('stream: Win.Te', 'st\u0007.EICAR_HDB-1 FOUND\0stream: OK\0');
  expect(await scan(text('x'), { port })).toEqual({ clean: false, signature: 'Win.Test?.EICAR_HDB-1' });
});

test('an answer that is neither OK nor FOUND is no result', async () => {
  for (const fault of ['down', 'error'] as const) {
    standin.state.fault = fault;
    await expect(scan(text('a letter'))).rejects.toThrow(ScannerUnavailable);
  }
  standin.state.fault = 'silent';
  await expect(scan(text('a letter'), { timeoutMs: 50 })).rejects.toThrow(ScannerUnavailable);
  for (const answer of ['stream: OK FOUND?\0', 'OK\0', 'stream: FOUND\0', '\0', 'x'.repeat(2_000)])
    await expect(scan(text('x'), { port: await saying(answer) })).rejects.toThrow(ScannerUnavailable);
  await expect(scan(text('x'), { port: await saying('stream: OK'), timeoutMs: 50 })).rejects.toThrow(
    ScannerUnavailable,
  );
  const [server] = servers;
  const { port } = (server as net.Server).address() as net.AddressInfo;
  (server as net.Server).close();
  await expect(scan(text('x'), { port })).rejects.toThrow(ScannerUnavailable);
});

test("a file above the limit is not sent, and an error of the file's stream is passed on", async () => {
  await expect(scan(text('12345', '67890'), { mostBytes: 9 })).rejects.toThrow(ScannerUnavailable);
  const broken = new Error('the store stopped');
  const bytes = new Readable({
    read() {
      this.push(Buffer.from('half'));
      this.destroy(broken);
    },
  });
  await expect(scan(bytes)).rejects.toBe(broken);
  expect(standin.state.scannedFiles).toBeGreaterThan(0);
});
