/** What provisioning would find there, and what it would make. */
import { PARTS, type PartName, type Provisioner } from './port.js';

export const STATES = ['exists', 'create'] as const;
type State = (typeof STATES)[number];

/** What is on record of the store that is wanted. */
export interface OnRecord {
  /** Of the key that the provider has told. */
  accessKeyId: string | null;
  isActive: boolean;
}

export type Plan = Record<PartName | 'key' | 'config', State>;

/**
 * Reads alone. The key is there if it is the one on record and opens something: of any other nobody knows the secret.
 * @throws ProvisioningRefused, ProvisioningUnavailable
 */
export async function planParts(provider: Provisioner, onRecord: OnRecord | null): Promise<Plan> {
  const states: Partial<Plan> = {};
  for (const name of PARTS) states[name] = stateOf(await provider.parts[name].isThere());
  const hasKey = (await provider.keys()).some(({ id, active }) => active && id === onRecord?.accessKeyId);
  return { ...(states as Plan), key: stateOf(hasKey), config: stateOf(hasKey && onRecord?.isActive === true) };
}

const stateOf = (isThere: boolean): State => (isThere ? 'exists' : 'create');
