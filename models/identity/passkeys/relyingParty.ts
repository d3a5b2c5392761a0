/** The WebAuthn relying party (spec: Passkeys, 2 and 3): one domain, its web origins and its apps. */
import { config } from '../../../config.js';

export interface AndroidApp {
  packageName: string;
  /** SHA-256 of the app's signing certificates, as upper-case hexadecimal pairs with colons. */
  fingerprints: string[];
}

export const relyingParty = () => ({ rpID: config.WEBAUTHN_RP_ID, rpName: config.WEBAUTHN_RP_NAME });

/** Returns the web origins that may request a passkey. Default: the front end and, in development, this server. */
export function webOrigins(): string[] {
  const configured = config.WEBAUTHN_ORIGINS.filter((origin) => origin.startsWith('http'));
  if (configured.length > 0) return configured;
  const urls = config.production ? [config.frontendUrl] : [config.frontendUrl, config.backendUrl];
  return urls.map((url) => new URL(url).origin);
}

/** Returns the Android apps: one entry per package, with the fingerprints of all certificates that sign the package. */
export function androidApps(): AndroidApp[] {
  const apps = new Map<string, string[]>();
  for (const entry of config.ANDROID_APPS) {
    const at = entry.indexOf(':');
    const packageName = entry.slice(0, at);
    apps.set(packageName, [...(apps.get(packageName) ?? []), entry.slice(at + 1).toUpperCase()]);
  }
  return [...apps].map(([packageName, fingerprints]) => ({ packageName, fingerprints }));
}

/**
 * Returns every origin that client data may name. Android names an app by the hash of its certificate; Apple's systems
 * name the domain that the app is associated with.
 */
export function expectedOrigins(): string[] {
  const android = androidApps().flatMap(({ fingerprints }) => fingerprints.map(keyHashOrigin));
  const apple = config.APPLE_APP_IDS.length > 0 ? [`https://${config.WEBAUTHN_RP_ID}`] : [];
  return [...new Set([...webOrigins(), ...config.WEBAUTHN_ORIGINS, ...android, ...apple])];
}

const keyHashOrigin = (fingerprint: string): string =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`;
