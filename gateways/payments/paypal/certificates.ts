/**
 * The certificates with which PayPal signs events: fetched only from PayPal, and trusted only with a valid chain to a
 * trusted authority.
 */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { config } from '../../../config.js';
import { EventRefused, OutcomeUnknown } from '../port.js';
import { LIVE, paypalAddress, SANDBOX } from './account.js';

/** The hosts from which certificates may be fetched, for each environment. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  [LIVE]: ['https://api.paypal.com', LIVE],
  [SANDBOX]: ['https://api.sandbox.paypal.com', SANDBOX],
};
const PATH = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/;
const BLOCK = /-----BEGIN CERTIFICATE-----[\w+/=\s]+?-----END CERTIFICATE-----/g;
const MAX_CHAIN_LENGTH = 5;
const MAX_BYTES = 50_000;

interface CachedKey {
  key: KeyObject;
  /** The key is cached until this time, in milliseconds since 1970. */
  until: number;
}
const cachedKeys = new Map<string, CachedKey>();
const MAX_CACHED = 20;

/**
 * Returns the public key of the certificate at an address.
 * @param at milliseconds since 1970
 * @throws EventRefused if the address is not PayPal's or the certificate is not trusted; OutcomeUnknown
 */
export async function signingKeyAt(address: string, at: number): Promise<KeyObject> {
  const url = addressOf(address);
  const cached = cachedKeys.get(url);
  if (cached && cached.until > at) return cached.key;
  const chain = chainIn(await fetchText(url));
  const leaf = verifiedLeaf(chain, anchors(), at);
  if (cachedKeys.size >= MAX_CACHED) cachedKeys.clear();
  cachedKeys.set(url, { key: leaf.publicKey, until: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))) });
  return leaf.publicKey;
}

/** Checks that the address of a certificate belongs to PayPal, because a forged event could name any address. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const base = paypalAddress();
  const origins = HOSTS[base] ?? [new URL(base).origin];
  const isPaypalUrl = url && origins.includes(url.origin) && PATH.test(url.pathname) && !url.search && !url.hash;
  if (!isPaypalUrl || url.username || url.password) throw new EventRefused('The certificate is not PayPal’s.');
  return url.href;
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
  if (answer?.status === 404) throw new EventRefused('The certificate does not exist.');
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  if (text === null) throw new OutcomeUnknown('The certificate cannot be fetched.');
  if (text.length > MAX_BYTES) throw new EventRefused('The answer is not a certificate.');
  return text;
}

function chainIn(text: string): X509Certificate[] {
  try {
    return (text.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
  } catch {
    throw new EventRefused('The answer is not a certificate.');
  }
}

const anchors = (): string[] => (config.PAYPAL_CA ? [config.PAYPAL_CA] : [...rootCertificates]);

/**
 * Verifies that each certificate is signed by the next one, and the last one by a trusted authority.
 * @throws EventRefused
 */
function verifiedLeaf(chain: X509Certificate[], trusted: string[], at: number): X509Certificate {
  const [leaf] = chain;
  const last = chain.at(-1);
  if (!leaf || !last || chain.length > MAX_CHAIN_LENGTH)
    throw new EventRefused('The certificate chain is missing or too long.');
  if (!isPaypalCertificate(leaf)) throw new EventRefused('The certificate was not issued to PayPal.');
  if (!chain.every((one) => Date.parse(one.validFrom) <= at && at < Date.parse(one.validTo)))
    throw new EventRefused('A certificate is not valid now.');
  const isLinked = chain.slice(1).every((issuer, index) => isSignedBy(chain[index] as X509Certificate, issuer));
  const isTrusted = trusted.some((pem) => {
    const anchor = new X509Certificate(pem);
    return anchor.fingerprint256 === last.fingerprint256 || isSignedBy(last, anchor);
  });
  if (!isLinked || !isTrusted) throw new EventRefused('No trusted authority signed the certificate.');
  return leaf;
}

const isSignedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);

/**
 * Reports whether the certificate was issued to PayPal. Other certificates of the same authority may not sign in
 * PayPal's name.
 */
const isPaypalCertificate = (leaf: X509Certificate): boolean =>
  [...(leaf.subjectAltName ?? '').matchAll(/DNS:([\w.*-]+)/g), ...leaf.subject.matchAll(/^CN=([\w.*-]+)$/gm)].some(
    ([, name = '']) => name === 'paypal.com' || name.endsWith('.paypal.com'),
  );
