/** Providers of accounts, as organizations have them. An opened one keeps its access token for a while. */
import { createHash } from 'node:crypto';
import { type AccountProvider, CredentialsRefused, type ProviderSettings } from './port.js';

const KEPT_MS = 10 * 60_000;
const MOST = 100;

/** By what opens them: credentials that were replaced open none of these. */
const opened = new Map<string, { provider: Promise<AccountProvider>; until: number }>();

/** Libraries are large: who never asks a provider does not load them. */
async function open(settings: ProviderSettings): Promise<AccountProvider> {
  if (settings.provider === 'cloud_office') {
    const { cloudOffice } = await import('./cloudOffice.js');
    return cloudOffice(settings.credentials, settings.domain);
  }
  const { workspaceSuite } = await import('./workspaceSuite.js');
  return workspaceSuite(settings.credentials, settings.domain);
}

/** Does something at a provider. @throws as the port does */
export async function atProvider<T>(
  settings: ProviderSettings,
  work: (provider: AccountProvider) => Promise<T>,
): Promise<T> {
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('base64');
  try {
    return await work(await keptOf(key, settings));
  } catch (error) {
    // A token that is no longer taken would be used until it runs out.
    if (error instanceof CredentialsRefused) opened.delete(key);
    throw error;
  }
}

function keptOf(key: string, settings: ProviderSettings): Promise<AccountProvider> {
  const kept = opened.get(key);
  if (kept && kept.until > Date.now()) return kept.provider;
  const [oldest] = opened.keys();
  if (oldest !== undefined && opened.size >= MOST) opened.delete(oldest);
  const provider = open(settings);
  opened.set(key, { provider, until: Date.now() + KEPT_MS });
  return provider;
}
