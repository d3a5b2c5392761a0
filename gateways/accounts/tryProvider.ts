/**
 * Tests step by step whether the configured provider can be used to create accounts: credentials, domain, unit and
 * groups. The test creates nothing at the provider.
 */
import { AccountMissing, ProviderFailure, type ProviderSettings, ProviderUnavailable } from './port.js';
import { withProvider } from './providers.js';

/** The steps of a provider test, in their order. */
export const PROVIDER_STEPS = ['connect', 'credentials', 'domain', 'unit', 'groups'] as const;
type ProviderStep = (typeof PROVIDER_STEPS)[number];

export interface ProviderTrial {
  /** The step at which the test failed; null if the test succeeded. */
  failed_step: ProviderStep | null;
  /** The error code of the provider at the failed step: one word, never its text. Null if the test succeeded. */
  answer: string | null;
}

export async function tryProvider(
  settings: ProviderSettings,
  { unit, groups }: { unit: string | null; groups: readonly string[] },
): Promise<ProviderTrial> {
  let step: ProviderStep = 'credentials';
  try {
    await withProvider(settings, async (provider) => {
      await provider.authenticate();
      step = 'domain';
      await provider.findDomain();
      step = 'unit';
      if (unit !== null) await provider.findUnit(unit);
      step = 'groups';
      for (const group of groups) await provider.findGroup(group);
    });
    return { failed_step: null, answer: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error instanceof ProviderUnavailable) return { failed_step: 'connect', answer: error.code };
    return { failed_step: step, answer: error instanceof AccountMissing ? 'not_found' : error.code };
  }
}
