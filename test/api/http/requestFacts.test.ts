/** @jest-environment node */
/** Tests which address a request counts as coming from. */
import { ipAddressOf } from '../../../api/http/requestFacts.js';

const from = (forwarded: string | undefined, proxies: number, remoteAddress = '10.0.0.9') =>
  ipAddressOf(
    { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } } as never,
    proxies,
  );

test.each<[string, string | undefined, number, string]>([
  ['without proxies the header is ignored', '1.1.1.1', 0, '10.0.0.9'],
  ['one proxy vouches for the last entry', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['two proxies vouch for the last but one', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['as many entries as proxies are enough', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['a request with fewer entries than proxies did not pass them', '1.1.1.1', 2, '10.0.0.9'],
  ['a request without the header did not pass them either', undefined, 1, '10.0.0.9'],
  ['an empty header is no address', '', 1, '10.0.0.9'],
  ['an invalid address is not used', '1.1.1.1, unknown', 1, '10.0.0.9'],
  ['a port is left out', '1.1.1.1:4711', 1, '1.1.1.1'],
  ['a port is left out of IPv6 too', '[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:1.1.1.1', 1, '1.1.1.1'],
])('%s', (_name, forwarded, proxies, expected) => {
  expect(from(forwarded, proxies)).toBe(expected);
});

test('the address of the socket may be IPv4 mapped into IPv6', () => {
  expect(from(undefined, 0, '::ffff:10.0.0.9')).toBe('10.0.0.9');
});
