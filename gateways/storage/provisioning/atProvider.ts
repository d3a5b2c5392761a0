import type { Provisioner, Wanted } from './port.js';
import { provisioner, type ProvisioningSettings } from './provisioner.js';

/** Does something at the provider, which is opened for that alone. @throws ProvisioningRefused, ProvisioningUnavailable */
export async function atProvider<T>(
  settings: ProvisioningSettings,
  wanted: Wanted,
  work: (provider: Provisioner) => Promise<T>,
): Promise<T> {
  const opened = provisioner(settings, wanted);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}
