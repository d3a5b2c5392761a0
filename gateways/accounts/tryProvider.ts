/** Whether a provider does all that accounts need, step by step. Nothing is made there. */
import { AccountMissing, ProviderFailure, type ProviderSettings, ProviderUnavailable } from './port.js';
import { atProvider } from './providers.js';

/** In the order of the way. */
export const PROVIDER_STEPS = ['connect', 'credentials', 'domain', 'unit', 'groups'] as const;
type ProviderStep = (typeof PROVIDER_STEPS)[number];

export interface ProviderTrial {
  /** Null: all went well. */
  failed_step: ProviderStep | null;
  /** What the provider called it: one word, and never what else it wrote. */
  answer: string | null;
}

export async function tryProvider(
  settings: ProviderSettings,
  { unit, groups }: { unit: string | null; groups: readonly string[] },
): Promise<ProviderTrial> {
  let step: ProviderStep = 'credentials';
  try {
    await atProvider(settings, async (provider) => {
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
