/** @jest-environment node */
/** Where a request comes from. */
import { ipAddressOf } from '../../../api/http/requestFacts.js';

const from = (forwarded: string | undefined, proxies: number, remoteAddress = '10.0.0.9') =>
  ipAddressOf(
    { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } } as never,
    proxies,
  );

test.each<[string, string | undefined, number, string]>([
  ['without proxies the header is not looked at', '1.1.1.1', 0, '10.0.0.9'],
  ['one proxy vouches for the last entry', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['two proxies vouch for the last but one', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['as many entries as proxies will do', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['fewer entries than proxies did not come through them', '1.1.1.1', 2, '10.0.0.9'],
  ['no header did not come through them either', undefined, 1, '10.0.0.9'],
  ['an empty header is no address', '', 1, '10.0.0.9'],
  ['what is no address is not believed', '1.1.1.1, unknown', 1, '10.0.0.9'],
  ['a port is left out', '1.1.1.1:4711', 1, '1.1.1.1'],
  ['a port is left out of IPv6 too', '[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:1.1.1.1', 1, '1.1.1.1'],
])('%s', (_name, forwarded, proxies, expected) => {
  expect(from(forwarded, proxies)).toBe(expected);
});

test('the socket itself may be IPv4 in IPv6', () => {
  expect(from(undefined, 0, '::ffff:10.0.0.9')).toBe('10.0.0.9');
});
