/** Tests unreadable, wrong and hostile requests: each gets a clear 4xx in the shape of every error. */
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { get, post, type Route } from '../../../api/http/routes.js';
import { config } from '../../../config.js';
import { Client, type Reply } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';

const Note = z.object({ text: z.string().max(10), tags: z.array(z.strictObject({ name: z.string() })).optional() });

const scratch: Route[] = [
  post('/notes/', { summary: 'Echo', access: 'public', throttle: [], body: Note, response: Note }, ({ body }) =>
    Promise.resolve(body),
  ),
  get('/notes/latest/', { summary: 'Latest', access: 'public', throttle: [], response: z.literal('latest') }, () =>
    Promise.resolve('latest' as const),
  ),
  get(
    '/notes/:id/',
    {
      summary: 'One',
      access: 'public',
      throttle: [],
      params: z.object({ id: z.string() }),
      query: z.object({ lines: z.enum(['1', '2']).optional() }),
      response: z.string(),
    },
    ({ params }) => Promise.resolve(params.id),
  ),
  get(
    '/address/',
    { summary: 'Address', access: 'public', throttle: [], query: z.object({ n: z.string() }), response: z.string() },
    ({ request }) => Promise.resolve(`${request.url} ${request.raw.originalUrl}`),
  ),
  post('/broken/', { summary: 'A bug', access: 'public', throttle: [] }, () => {
    throw new Error('SELECT secret FROM somewhere');
  }),
];

let client: Client;

const api = anApi({ routes: scratch });
beforeAll(async () => {
  client = new Client(api.url);
});

const statusAndCode = ({ status, body }: Reply<{ code: string }>) => [status, body.code];
const note = (body: unknown, headers?: Record<string, string>) => client.post('/notes/', body, headers);

/** Sends bytes that no HTTP client would send. @returns everything that the server answers */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('an unknown address is a 404 with the error shape', async () => {
  const reply = await client.get('/nowhere/');
  expect(reply).toMatchObject({ status: 404, body: { code: 'not_found', detail: expect.any(String) } });
});

test('an address without its trailing slash is answered', async () => {
  expect((await client.get('/notes/latest')).body).toBe('latest');
});

test('an absolute address is read as its path and query', async () => {
  const answer = await raw('GET http://any.example/address/?n=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(answer).toContain(`"${config.backendUrl}/address/ /address/?n=1"`);
});

test('a literal path segment is matched before a parameter', async () => {
  expect((await client.get('/notes/latest/')).body).toBe('latest');
  expect((await client.get('/notes/other/')).body).toBe('other');
});

test('a wrong method is a 405 that names the right ones', async () => {
  const reply = await client.delete('/notes/latest/');
  expect(statusAndCode(reply)).toEqual([405, 'method_not_allowed']);
  expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});

test('HEAD answers like GET, without a body', async () => {
  expect(await client.send('HEAD', '/notes/latest/')).toMatchObject({ status: 200, body: undefined });
});

test('OPTIONS names the methods', async () => {
  const reply = await client.send('OPTIONS', '/notes/');
  expect([reply.status, reply.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
});

test('an unknown field is refused by name', async () => {
  const reply = await note({ text: 'a', colour: 'red' });
  expect(reply).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { colour: ['Unknown field.'] } },
  });
});

test('nested errors are named with dots', async () => {
  const reply = await note({ text: 'a', tags: [{ name: 1 }] });
  expect(Object.keys(reply.body.errors)).toEqual(['tags.0.name']);
});

test.each(['__proto__', 'constructor', 'toString'])('a field called %s is an unknown field', async (name) => {
  const reply = await note(`{"text": "a", "${name}": {"x": 1}}`);
  expect(reply.status).toBe(400);
  expect(Object.keys(reply.body.errors)).toEqual([name]);
});

test('a missing body is like an empty one: its fields are required', async () => {
  expect((await note(undefined)).body.errors).toEqual({ text: ['Required.'] });
});

test.each(['null', '[]', '"text"', '7'])('a body of %s is not an object', async (body) => {
  expect(statusAndCode(await note(body))).toEqual([400, 'validation_error']);
});

test('malformed JSON has an error code of its own', async () => {
  expect(statusAndCode(await note('{"text": '))).toEqual([400, 'malformed_json']);
});

test('invalid UTF-8 in a body has an error code of its own', async () => {
  expect(statusAndCode(await note(Buffer.from([0x22, 0xff, 0x22])))).toEqual([400, 'invalid_encoding']);
});

test.each([
  ['NUL', '{"text": "a\\u0000b"}'],
  ['half a surrogate pair', '{"text": "\\ud800"}'],
])('%s in text is refused with the name of the field', async (_what, body) => {
  const reply = await note(body);
  expect([reply.status, Object.keys(reply.body.errors)]).toEqual([400, ['text']]);
});

test('JSON that nests a hundred thousand levels is refused', async () => {
  const reply = await note(`{"text": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(statusAndCode(reply)).toEqual([400, 'validation_error']);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'])(
  'a body of %s is a 415',
  async (type) => {
    expect(statusAndCode(await note('{"text": "a"}', { 'Content-Type': type }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
  },
);

test('a body over the limit is a 413', async () => {
  expect(statusAndCode(await note(`"${'a'.repeat(1_100_000)}"`))).toEqual([413, 'body_too_large']);
});

test('a small body that inflates over the limit is a 413', async () => {
  const reply = await note(gzipSync(`"${'a'.repeat(1_100_000)}"`), { 'Content-Encoding': 'gzip' });
  expect(statusAndCode(reply)).toEqual([413, 'body_too_large']);
});

test('a body that does not inflate is a 400, and an unknown compression is a 415', async () => {
  expect(statusAndCode(await note('nonsense', { 'Content-Encoding': 'gzip' }))).toEqual([400, 'malformed_request']);
  expect(statusAndCode(await note('nonsense', { 'Content-Encoding': 'rot13' }))).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test('invalid percent encoding is a 400, in the path and in the query', async () => {
  expect(statusAndCode(await client.get('/notes/%ff/'))).toEqual([400, 'invalid_encoding']);
  expect(statusAndCode(await client.get('/notes/a/?lines=%ff'))).toEqual([400, 'invalid_encoding']);
  expect(statusAndCode(await client.get('/notes/a/?lines=%'))).toEqual([400, 'invalid_encoding']);
});

test('NUL in a path is a 404, and NUL in a query is refused', async () => {
  expect(statusAndCode(await client.get('/notes/a%00b/'))).toEqual([404, 'not_found']);
  expect(statusAndCode(await client.get('/notes/a/?lines=%00'))).toEqual([400, 'validation_error']);
});

test('an unknown query parameter is refused by name', async () => {
  expect((await client.get('/notes/a/?verbose=1')).body.errors).toEqual({ verbose: ['Unknown parameter.'] });
  expect((await client.get('/notes/latest/?verbose=1')).body.errors).toEqual({ verbose: ['Unknown parameter.'] });
});

test('a query parameter given twice is refused by name', async () => {
  expect(Object.keys((await client.get('/notes/a/?lines=1&lines=2')).body.errors)).toEqual(['lines']);
});

test('an over-long address is a 414', async () => {
  expect(statusAndCode(await client.get(`/notes/${'a'.repeat(9_000)}/`))).toEqual([414, 'uri_too_long']);
});

test('headers over the limit are a 431 in the shape of every error', async () => {
  const answer = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 431 .*"code":"headers_too_large"/s);
});

test('bytes that are not HTTP get a 400 in the shape of every error', async () => {
  expect(await raw('HELLO\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"code":"malformed_request"/s);
});

test('a request without a host is a 400', async () => {
  expect(await raw('GET /notes/a/ HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 .*malformed_request/s,
  );
});

test('raw bytes in an address are a 400', async () => {
  const request = Buffer.from('GET /notes/caf\xe9/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'latin1');
  expect(await raw(request)).toMatch(/^HTTP\/1.1 400 /);
});

test('a bug is a 500 that reveals nothing about the server', async () => {
  const reply = await client.post('/broken/');
  expect(reply).toMatchObject({ status: 500, body: { code: 'server_error' } });
  expect(JSON.stringify(reply.body)).not.toMatch(/SELECT|secret|at /);
});

test('the answer repeats the id of the request or replaces an unusable one', async () => {
  const id = async (given?: string) =>
    (await client.get('/notes/latest/', given ? { 'X-Request-Id': given } : {})).headers.get('x-request-id');
  expect(await id('trace-7.a_B')).toBe('trace-7.a_B');
  expect(await id('has spaces')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await id()).not.toBe(await id());
});

test('a body with a hundred thousand mistakes names the first hundred', async () => {
  const reply = await note(`{"text": "a", "tags": [${'1,'.repeat(100_000)}1]}`);
  expect(reply.status).toBe(400);
  expect(Object.keys(reply.body.errors)).toHaveLength(100);
});
