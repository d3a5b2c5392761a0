import { networkEnvironment } from '../../../development/stack/network.js';
import { readSettings } from '../../../development/stack/settings.js';
import { parseEnvironment } from '../../../config.js';

test('what the local stack plays the network with is an environment that the API takes', () => {
  const told = networkEnvironment(readSettings({ SOCIALNET_PORT: '4001' }));
  const { SOCIALNET_CLIENT_ID, SOCIALNET_TOKEN_URL } = parseEnvironment(told);
  expect(SOCIALNET_CLIENT_ID).toBe('development');
  expect(new URL(SOCIALNET_TOKEN_URL).host).toBe('127.0.0.1:4001');
});

test.each([
  ['a real one is named', { SOCIALNET_CLIENT_ID: 'real' }],
  ['it is production', { NODE_ENV: 'production' }],
  ['the gateway beside which it runs is elsewhere', { STRIPE_API_URL: 'https://gateway.example' }],
])('the network is not played where %s', (_, environment) => {
  expect(networkEnvironment(readSettings(environment))).toEqual({});
});
