/** Client and worker reach a Temporal server that requires TLS, a client certificate or an API key, like hosted servers. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { config } from '../../config.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { temporalServer } from '../../gateways/temporal/server.js';

const plain = config.TEMPORAL_ADDRESS;
let folder: string;
let server: net.Server;

const file = (name: string) => path.join(folder, name);
const pem = (name: string): string => readFileSync(file(name), 'utf8');
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

/** A certificate that the test's own authority signed, with its key. */
function sign(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.csr`),
    ...subject,
  );
  const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', file(`${name}.csr`), ...authority, '-days', '2', '-out', file(`${name}.pem`));
}

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'temporal-tls-'));
  const authority = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=authority', '-days', '2'];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...authority);
  sign('server');
  sign('client');
});

afterEach(async () => {
  await closeTemporal();
  server.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Points client and worker at this server. */
async function use(listening: net.Server, settings: Partial<typeof config>): Promise<void> {
  server = listening.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const none = { TEMPORAL_API_KEY: undefined, TEMPORAL_TLS_CERT: undefined, TEMPORAL_TLS_KEY: undefined };
  const { port } = server.address() as AddressInfo;
  Object.assign(config, none, { TEMPORAL_ADDRESS: `localhost:${port}`, TEMPORAL_TLS_CA: pem('ca.pem') }, settings);
}

const identity = () => ({ key: pem('server.key'), cert: pem('server.pem') });

/** The real server behind TLS that requires a certificate of the same authority. */
function mutualTls(): net.Server {
  const options = {
    ...identity(),
    ca: pem('ca.pem'),
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  };
  const [host = '', port = ''] = plain.split(':');
  return tls.createServer(options, (socket) => {
    const upstream = net.connect(Number(port), host);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  });
}

const ask = () =>
  temporal().connection.withDeadline(Date.now() + 5_000, () =>
    temporal().connection.workflowService.describeNamespace({ namespace: config.TEMPORAL_NAMESPACE }),
  );

test('client and worker present their certificate', async () => {
  await use(mutualTls(), { TEMPORAL_TLS_CERT: pem('client.pem'), TEMPORAL_TLS_KEY: pem('client.key') });
  expect((await ask()).namespaceInfo?.name).toBe(config.TEMPORAL_NAMESPACE);
  const connection = await NativeConnection.connect(temporalServer());
  await connection.close();
});

test('client and worker are refused without a certificate', async () => {
  await use(mutualTls(), {});
  await expect(ask()).rejects.toThrow();
  await expect(NativeConnection.connect(temporalServer())).rejects.toThrow();
});

test('client and worker send the API key', async () => {
  const keys: unknown[] = [];
  const recording = http2.createSecureServer(identity());
  recording.on('stream', (stream, headers) => {
    keys.push(headers['authorization']);
    // UNAUTHENTICATED, as gRPC calls it.
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
  });
  await use(recording, { TEMPORAL_API_KEY: 'a-key-of-the-cloud' });
  await expect(ask()).rejects.toThrow();
  expect(keys).toContain('Bearer a-key-of-the-cloud');
  keys.length = 0;
  await expect(NativeConnection.connect(temporalServer())).rejects.toThrow();
  expect(keys).toContain('Bearer a-key-of-the-cloud');
});

test('an API key without other settings requires TLS', () => {
  Object.assign(config, { TEMPORAL_API_KEY: 'a-key', TEMPORAL_TLS_CA: undefined, TEMPORAL_TLS: undefined });
  expect(temporalServer()).toMatchObject({ tls: true, apiKey: 'a-key' });
});
