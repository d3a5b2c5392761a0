/** The keys that PayPal signs events with: fetched from PayPal alone, and believed only as far as an authority vouches for them. */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { config } from '../../../config.js';
import { EventRefused, OutcomeUnknown } from '../port.js';
import { LIVE, paypalAddress, SANDBOX } from './account.js';

/** Events name either. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  [LIVE]: ['https://api.paypal.com', LIVE],
  [SANDBOX]: ['https://api.sandbox.paypal.com', SANDBOX],
};
const PATH = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/;
const BLOCK = /-----BEGIN CERTIFICATE-----[\w+/=\s]+?-----END CERTIFICATE-----/g;
const LONGEST_CHAIN = 5;
const LARGEST_BYTES = 50_000;

interface Known {
  key: KeyObject;
  /** Milliseconds since 1970. */
  until: number;
}
const known = new Map<string, Known>();
const MOST_KNOWN = 20;

/**
 * The key of the certificate at this address.
 * @param at milliseconds since 1970
 * @throws EventRefused where the address is not PayPal's or nobody vouches for the certificate, OutcomeUnknown
 */
export async function signingKeyAt(address: string, at: number): Promise<KeyObject> {
  const url = addressOf(address);
  const before = known.get(url);
  if (before && before.until > at) return before.key;
  const chain = chainIn(await fetched(url));
  const leaf = proven(chain, anchors(), at);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(url, { key: leaf.publicKey, until: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))) });
  return leaf.publicKey;
}

/** Nothing is fetched from anywhere else, whatever an event says. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const base = paypalAddress();
  const origins = HOSTS[base] ?? [new URL(base).origin];
  const isTheirs = url && origins.includes(url.origin) && PATH.test(url.pathname) && !url.search && !url.hash;
  if (!isTheirs || url.username || url.password) throw new EventRefused('The certificate is not PayPal’s.');
  return url.href;
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
  if (answer?.status === 404) throw new EventRefused('There is no such certificate.');
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  if (text === null) throw new OutcomeUnknown('The certificate cannot be fetched.');
  if (text.length > LARGEST_BYTES) throw new EventRefused('This is no certificate.');
  return text;
}

function chainIn(text: string): X509Certificate[] {
  try {
    return (text.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
  } catch {
    throw new EventRefused('This is no certificate.');
  }
}

const anchors = (): string[] => (config.PAYPAL_CA ? [config.PAYPAL_CA] : [...rootCertificates]);

/** Each is signed by the next, and the last by somebody whom we trust. @throws EventRefused */
function proven(chain: X509Certificate[], trusted: string[], at: number): X509Certificate {
  const [leaf] = chain;
  const last = chain.at(-1);
  if (!leaf || !last || chain.length > LONGEST_CHAIN) throw new EventRefused('There is no chain of certificates.');
  if (!isPaypals(leaf)) throw new EventRefused('The certificate is somebody else’s.');
  if (!chain.every((one) => Date.parse(one.validFrom) <= at && at < Date.parse(one.validTo)))
    throw new EventRefused('A certificate is not valid now.');
  const linked = chain.slice(1).every((issuer, index) => isSignedBy(chain[index] as X509Certificate, issuer));
  const vouched = trusted.some((pem) => {
    const anchor = new X509Certificate(pem);
    return anchor.fingerprint256 === last.fingerprint256 || isSignedBy(last, anchor);
  });
  if (!linked || !vouched) throw new EventRefused('Nobody vouches for the certificate.');
  return leaf;
}

const isSignedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);

/** Whoever else such an authority knows may not sign in PayPal's name. */
const isPaypals = (leaf: X509Certificate): boolean =>
  [...(leaf.subjectAltName ?? '').matchAll(/DNS:([\w.*-]+)/g), ...leaf.subject.matchAll(/^CN=([\w.*-]+)$/gm)].some(
    ([, name = '']) => name === 'paypal.com' || name.endsWith('.paypal.com'),
  );
