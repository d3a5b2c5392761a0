import { networkEnvironment } from '../../../development/stack/network.js';
import { readSettings } from '../../../development/stack/settings.js';
import { parseEnvironment } from '../../../config.js';

test('the settings of the local stack for the network are accepted by the API', () => {
  const environment = networkEnvironment(readSettings({ SOCIALNET_PORT: '4001' }));
  const { SOCIALNET_CLIENT_ID, SOCIALNET_TOKEN_URL } = parseEnvironment(environment);
  expect(SOCIALNET_CLIENT_ID).toBe('development');
  expect(new URL(SOCIALNET_TOKEN_URL).host).toBe('127.0.0.1:4001');
});

test.each([
  ['a real one is named', { SOCIALNET_CLIENT_ID: 'real' }],
  ['it is production', { NODE_ENV: 'production' }],
  ['the gateway beside which it runs is elsewhere', { STRIPE_API_URL: 'https://gateway.example' }],
])('the local stack has no stand-in of the network where %s', (_, environment) => {
  expect(networkEnvironment(readSettings(environment))).toEqual({});
});
