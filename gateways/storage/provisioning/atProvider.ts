import type { Provisioner, Wanted } from './port.js';
import type { ProvisioningSettings } from './provisioner.js';

/** Does something at the provider, which is opened for that alone. @throws ProvisioningRefused, ProvisioningUnavailable */
export async function atProvider<T>(
  settings: ProvisioningSettings,
  wanted: Wanted,
  work: (provider: Provisioner) => Promise<T>,
): Promise<T> {
  // Its SDK takes seven megabytes, and hardly any process ever asks there.
  const { provisioner } = await import('./provisioner.js');
  const opened = provisioner(settings, wanted);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}
