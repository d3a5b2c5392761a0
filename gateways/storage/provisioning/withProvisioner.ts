import type { Provisioner, WantedStore } from './port.js';
import type { ProvisioningSettings } from './provisioner.js';

/**
 * Runs work with the provider, whose client is opened for this work only.
 * @throws ProvisioningRefused, ProvisioningUnavailable
 */
export async function withProvisioner<T>(
  settings: ProvisioningSettings,
  wanted: WantedStore,
  work: (provider: Provisioner) => Promise<T>,
): Promise<T> {
  // Loaded on first use: the SDK takes seven megabytes, and few processes need it.
  const { provisioner } = await import('./provisioner.js');
  const provider = provisioner(settings, wanted);
  try {
    return await work(provider);
  } finally {
    provider.close();
  }
}
