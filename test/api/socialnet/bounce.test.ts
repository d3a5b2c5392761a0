import { config } from '../../../config.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';

const api = anApi();

const target = () => `${config.MOBILE_APP_SCHEME}://socialnet/callback`;

async function bounce(query: string): Promise<{ status: number; location: string }> {
  const { status, headers, body } = await new Client(api.url).get(`/api/socialnet/native-callback/${query}`);
  expect(body).toBeUndefined();
  return { status, location: headers.get('location') ?? '' };
}

test('the bounce forwards code and state into the app without a session', async () => {
  expect(await bounce('?code=abc&state=def')).toEqual({ status: 302, location: `${target()}?code=abc&state=def` });
});

test('the bounce forwards an error into the app', async () => {
  const { location } = await bounce('?error=user_cancelled_login&error_description=The+member+declined.&state=s');
  expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
    error: 'user_cancelled_login',
    error_description: 'The member declined.',
    state: 's',
  });
});

test.each([
  ['nothing', ''],
  ['no values', '?code=&state='],
  ['other names', '?redirect_uri=https://evil.example&next=//evil.example&scheme=javascript&Code=x&code[]=x'],
  ['a name of every object', '?__proto__=x&constructor=x&toString=x'],
  ['the same name twice', '?code=a&code=b&state=c&state=d'],
])('the bounce forwards none of %s', async (_, query) => {
  expect(await bounce(query)).toEqual({ status: 302, location: target() });
});

test('the bounce drops all other parameters', async () => {
  const { location } = await bounce('?code=a&state=b&access_token=secret&iss=https://evil.example&session_state=x');
  expect(location).toBe(`${target()}?code=a&state=b`);
});

test.each([
  ['code', 4096],
  ['state', 200],
  ['error', 100],
  ['error_description', 500],
])('the bounce forwards a %s of %i characters and drops a longer one', async (name, longest) => {
  expect((await bounce(`?${name}=${'x'.repeat(longest)}`)).location).toHaveLength(
    target().length + 2 + name.length + longest,
  );
  expect((await bounce(`?${name}=${'x'.repeat(longest + 1)}`)).location).toBe(target());
});

test.each([
  ['a fragment', '#/evil'],
  ['further parameters', 'x&state=forged&access_token=y'],
  ['line breaks', 'x\r\nSet-Cookie: a=b\r\n\r\n<script>'],
  ['another address', '://evil.example/javascript:alert(1)'],
  ['markup', '"><script>alert(1)</script>'],
  ['percent signs', '%2526%253D%00'.replace('%00', '')],
  ['other scripts', 'ключ\u202e🔑'],
])('a value with %s stays one value at the same address', async (_, hostile) => {
  const { status, location } = await bounce(`?code=${encodeURIComponent(hostile)}`);
  expect(status).toBe(302);
  expect(location).toMatch(/^[\x21-\x7e]+$/);
  expect(location.split('?')[0]).toBe(target());
  const address = new URL(location);
  expect([address.hash, [...address.searchParams]]).toEqual(['', [['code', hostile]]]);
});

test.each([
  ['bytes that are no text', '?code=%ff%fe'],
  ['NUL', '?code=a%00b'],
])('%s is refused', async (_, query) => {
  const { status, headers } = await new Client(api.url).get(`/api/socialnet/native-callback/${query}`);
  expect([status, headers.get('location')]).toEqual([400, null]);
});

test("the bounce redirects to the deployment's scheme, independent of the Host header", async () => {
  const before = config.MOBILE_APP_SCHEME;
  Object.assign(config, { MOBILE_APP_SCHEME: 'com.example.club' });
  try {
    const { headers } = await new Client(api.url).get('/api/socialnet/native-callback/?code=a', {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'javascript',
    });
    expect(headers.get('location')).toBe('com.example.club://socialnet/callback?code=a');
  } finally {
    Object.assign(config, { MOBILE_APP_SCHEME: before });
  }
});
