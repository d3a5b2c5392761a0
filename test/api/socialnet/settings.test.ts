import { DEVELOPMENT_SECRETS, parseEnvironment } from '../../../config.js';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    parseEnvironment(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test("the default settings have the network's addresses and no client", () => {
  const { SOCIALNET_CLIENT_ID, SOCIALNET_AUTHORIZATION_URL, SOCIALNET_TOKEN_URL, SOCIALNET_USERINFO_URL } =
    parseEnvironment({});
  expect(SOCIALNET_CLIENT_ID).toBeUndefined();
  const hosts = [SOCIALNET_AUTHORIZATION_URL, SOCIALNET_TOKEN_URL, SOCIALNET_USERINFO_URL].map(
    (address) => new URL(address).host,
  );
  expect(hosts).toEqual(['www.linkedin.com', 'www.linkedin.com', 'api.linkedin.com']);
});

test('a client needs both an id and a secret', () => {
  const together = 'SOCIALNET_CLIENT_ID and SOCIALNET_CLIENT_SECRET must be set together';
  expect(problemsOf({ SOCIALNET_CLIENT_ID: 'x' })).toContain(together);
  expect(problemsOf({ SOCIALNET_CLIENT_SECRET: 'x' })).toContain(together);
  expect(problemsOf({ SOCIALNET_CLIENT_ID: 'x', SOCIALNET_CLIENT_SECRET: 'x' })).toBe('');
});

test('addresses of the network must be http or https, and https in production', () => {
  for (const name of ['SOCIALNET_AUTHORIZATION_URL', 'SOCIALNET_TOKEN_URL', 'SOCIALNET_USERINFO_URL']) {
    expect(problemsOf({ [name]: 'javascript:alert(1)' })).toContain(name);
    expect(problemsOf({ [name]: 'http://127.0.0.1:9/x' })).toBe('');
    expect(problemsOf({ [name]: 'http://network.example/x', NODE_ENV: 'production' })).toContain(
      `${name} must use https`,
    );
  }
});

test('the secret of the stand-in is refused in production', () => {
  const problems = problemsOf({ SOCIALNET_CLIENT_SECRET: DEVELOPMENT_SECRETS.socialnetSecret, NODE_ENV: 'production' });
  expect(problems).toContain('SOCIALNET_CLIENT_SECRET holds a development secret');
});
