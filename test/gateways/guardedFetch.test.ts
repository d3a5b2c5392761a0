/** SSRF protection: an organization's settings can make the server reach the public internet, and nothing else. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import dns from 'node:dns';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { config, parseEnvironment } from '../../config.js';
import { ForbiddenAddress, guardedFetch, isPublicAddress, UnusableAnswer } from '../../gateways/http/guardedFetch.js';

let server: Server;
let port: number;
let requested: string[] = [];
/** The server's answer to other requests. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url === '/redirect') response.writeHead(302, { Location: '/secret' }).end();
    else if (request.url === '/outside') response.writeHead(302, { Location: 'http://169.254.169.254/' }).end();
    else if (request.url === '/large') response.end(Buffer.alloc(1_100_000));
    else if (request.url === '/slow') response.writeHead(200).write('a');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = (allowed: boolean) => Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: allowed });
beforeEach(() => {
  requested = [];
  answer = (_request, response) => response.end('reached');
  open(false);
});
afterEach(() => jest.restoreAllMocks());

/** The resolver returns a public address; the connection goes to this machine. */
const resolvesTo = (...addresses: string[]) =>
  jest.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: CallableFunction) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never);

const CLOSED = [
  '127.0.0.1',
  '127.8.8.8',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '240.0.0.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '2001:db8::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  'fec0::1',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '::a00:1',
  '::ffff:0:7f00:1',
  '64:ff9b:1::a00:1',
  '2001:0:7f00:1::',
  '2001:10::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '1fff::1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  'nonsense',
  '',
  ':',
];

test.each(CLOSED)('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1', '2a00:1450::1', '2001:4860::8888', '::ffff:8.8.8.8'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const STAY_CLOSED = [
  '169.254.169.254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '::a9fe:a9fe',
  '::7f00:1',
  '168.63.129.16',
  '100.64.0.1',
  '224.0.0.1',
  '0.0.0.0',
];

test.each(STAY_CLOSED)('the development switch does not open %s', (address) => {
  expect(isPublicAddress(address, true)).toBe(false);
});

const LITERALS = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '[::1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '168.63.129.16',
  '10.0.0.1',
];

test.each(LITERALS)('https://%s/ is refused before a connection is made', async (host) => {
  await expect(guardedFetch(`https://${host}:${port}/`)).rejects.toThrow(ForbiddenAddress);
});

test('a name that resolves to a private address is refused at connection time', async () => {
  await expect(guardedFetch(`https://localhost:${port}/`)).rejects.toThrow(ForbiddenAddress);
  expect(requested).toEqual([]);
});

test.each([[['10.0.0.7']], [['8.8.8.8', '127.0.0.1']], [['::ffff:127.0.0.1']], [['169.254.169.254']], [[]]])(
  'a name that resolves to %p is refused',
  async (addresses) => {
    resolvesTo(...addresses);
    await expect(guardedFetch('https://idp.example.com/')).rejects.toThrow(ForbiddenAddress);
  },
);

test('plain http is refused outside of development', async () => {
  await expect(guardedFetch('http://idp.example.com/')).rejects.toThrow('Only https');
});

test('credentials in an address are refused', async () => {
  await expect(guardedFetch('https://user:secret@idp.example.com/')).rejects.toThrow('No credentials');
});

test.each(['file:///etc/passwd', 'ftp://idp.example.com/', 'data:text/plain,x'])('%s is refused', async (address) => {
  await expect(guardedFetch(address)).rejects.toThrow(ForbiddenAddress);
});

test('the development switch opens loopback, by name and by number', async () => {
  open(true);
  expect(await (await guardedFetch(`http://localhost:${port}/`)).text()).toBe('reached');
  expect(await (await guardedFetch(`http://127.0.0.1:${port}/`)).text()).toBe('reached');
});

const ask = (path: string, signal?: AbortSignal) => guardedFetch(`http://127.0.0.1:${port}${path}`, { signal });

test.each(['/redirect', '/outside'])('a redirect is not followed: %s', async (path) => {
  open(true);
  await expect(ask(path)).rejects.toThrow(TypeError);
  expect(requested).toEqual([path]);
});

test('an answer of more than 1 MiB is cut off', async () => {
  open(true);
  await expect(ask('/large')).rejects.toThrow('larger than 1 MiB');
});

test('an answer that does not end is aborted', async () => {
  open(true);
  await expect(ask('/slow')).rejects.toThrow(TypeError);
});

test('the timeout applies to an answer that arrives byte by byte', async () => {
  open(true);
  answer = (_request, response) => {
    const dripping = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(dripping));
  };
  await expect(ask('/', AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('an answer is returned with status, headers and body', async () => {
  open(true);
  answer = (_request, response) =>
    response.writeHead(400, { 'Content-Type': 'application/json', 'X-Twice': ['a', 'b'] }).end('{"error":"x"}');
  const given = await ask('/');
  expect([given.status, given.headers.get('content-type'), given.headers.get('x-twice'), await given.json()]).toEqual([
    400,
    'application/json',
    'a, b',
    { error: 'x' },
  ]);
});

test('compressed answers are not requested', async () => {
  open(true);
  answer = ({ headers }, response) => response.end(headers['accept-encoding']);
  expect(await (await ask('/')).text()).toBe('identity');
});

// The best compression of this much would take seconds.
const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
const brotli = (bytes: Buffer) => promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(bytes, quickly);
const gzip = promisify<Buffer, Buffer>(zlib.gzip);
const nothing = () => Buffer.alloc(200 * 1024 * 1024);
const BOMBS: [encoding: string, pack: () => Promise<Buffer>][] = [
  ['br', () => brotli(nothing())],
  ['gzip', () => gzip(nothing())],
  ['gzip, br', async () => brotli(await gzip(nothing()))],
];

test.each(BOMBS)('a decompression bomb by %s is refused without unpacking it', async (encoding, pack) => {
  open(true);
  const bomb = await pack();
  answer = (_request, response) => response.writeHead(200, { 'Content-Encoding': encoding }).end(bomb);
  const before = process.memoryUsage().rss;
  await expect(ask('/')).rejects.toThrow(UnusableAnswer);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test.each(['deflate', 'x-gzip', 'zstd', 'GZIP', 'identity, identity', 'gzip, identity', 'nonsense'])(
  'an answer with Content-Encoding: %s is refused, whether it is compressed or not',
  async (encoding) => {
    open(true);
    answer = (_request, response) => response.writeHead(200, { 'Content-Encoding': encoding }).end('{}');
    await expect(ask('/')).rejects.toThrow('The response is compressed');
  },
);

test('an answer with non-ASCII headers is read', async () => {
  open(true);
  answer = (_request, response) => {
    const name = Buffer.from('Poznań – SSO').toString('latin1');
    response.writeHead(200, { 'X-Name': name, 'Content-Type': 'text/plain' }).end('reached');
  };
  const given = await ask('/');
  expect([given.headers.get('content-type'), await given.text()]).toEqual(['text/plain', 'reached']);
});

test('an answer with Content-Encoding: identity is read', async () => {
  open(true);
  answer = (_request, response) => response.writeHead(200, { 'Content-Encoding': 'Identity' }).end('reached');
  expect(await (await ask('/')).text()).toBe('reached');
});

test.each(['true', '1'])('production refuses to start with SSO_ALLOW_PRIVATE_ADDRESSES=%s', (value) => {
  const boot = () => parseEnvironment({ NODE_ENV: 'production', SSO_ALLOW_PRIVATE_ADDRESSES: value });
  expect(boot).toThrow('SSO_ALLOW_PRIVATE_ADDRESSES is for development only');
});

const HOSTILE = [
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'http',
  'https',
  'about',
  'ws',
  'wss',
  'ftp',
  'intent',
  'filesystem',
  'JavaScript',
  'DATA',
  'VbScript',
  'HTTPS',
  'view-source',
  'content',
  'mailto',
  'tel',
  'livescript',
];

test.each(HOSTILE)('the API refuses to start with MOBILE_APP_SCHEME=%s', (MOBILE_APP_SCHEME) => {
  expect(() => parseEnvironment({ MOBILE_APP_SCHEME })).toThrow('MOBILE_APP_SCHEME: must be a scheme of your own app');
});

test.each([
  'my app',
  '1app',
  'app://',
  'app:',
  'java\tscript',
  'javascript:',
  '-app',
  'äpp',
  'app_x',
  `a${'b'.repeat(64)}`,
])('the API refuses to start with the invalid MOBILE_APP_SCHEME=%p', (MOBILE_APP_SCHEME) => {
  expect(() => parseEnvironment({ MOBILE_APP_SCHEME })).toThrow('MOBILE_APP_SCHEME: must be a URI scheme');
});

test.each([
  ['org.example.app', 'org.example.app'],
  ['MyApp', 'myapp'],
  ['web+members', 'web+members'],
])('the configuration reads MOBILE_APP_SCHEME=%s as the scheme %s', (given, scheme) => {
  expect(parseEnvironment({ MOBILE_APP_SCHEME: given }).MOBILE_APP_SCHEME).toBe(scheme);
});
