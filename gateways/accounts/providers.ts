/** A cache of connected account providers, so that access tokens are reused. */
import { createHash } from 'node:crypto';
import { type AccountProvider, CredentialsRefused, type ProviderSettings } from './port.js';

const TTL_MS = 10 * 60_000;
const MAX_ENTRIES = 100;

/**
 * Cached providers by the hash of their settings. Changed credentials give another hash, so an outdated provider is
 * never used.
 */
const cache = new Map<string, { provider: Promise<AccountProvider>; until: number }>();

/** Loads the adapter on first use, because the provider libraries are large. */
async function connect(settings: ProviderSettings): Promise<AccountProvider> {
  if (settings.provider === 'cloud_office') {
    const { cloudOffice } = await import('./cloudOffice.js');
    return cloudOffice(settings.credentials, settings.domain);
  }
  const { workspaceSuite } = await import('./workspaceSuite.js');
  return workspaceSuite(settings.credentials, settings.domain);
}

/**
 * Runs work with a provider.
 * @throws the errors of the port
 */
export async function withProvider<T>(
  settings: ProviderSettings,
  work: (provider: AccountProvider) => Promise<T>,
): Promise<T> {
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('base64');
  try {
    return await work(await cachedProvider(key, settings));
  } catch (error) {
    // Drops the cached access token, which would otherwise be used until it expires.
    if (error instanceof CredentialsRefused) cache.delete(key);
    throw error;
  }
}

function cachedProvider(key: string, settings: ProviderSettings): Promise<AccountProvider> {
  const entry = cache.get(key);
  if (entry && entry.until > Date.now()) return entry.provider;
  const [oldest] = cache.keys();
  if (oldest !== undefined && cache.size >= MAX_ENTRIES) cache.delete(oldest);
  const provider = connect(settings);
  cache.set(key, { provider, until: Date.now() + TTL_MS });
  return provider;
}
