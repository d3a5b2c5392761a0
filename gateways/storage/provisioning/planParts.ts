/** The plan of a provisioning: what exists already, and what would be created. */
import { PARTS, type PartName, type Provisioner } from './port.js';

export const STATES = ['exists', 'create'] as const;
type State = (typeof STATES)[number];

/** The state of the store as it is recorded in our database. */
export interface RecordedStore {
  /** The id of the key that the provider returned; null if there is none yet. */
  accessKeyId: string | null;
  isActive: boolean;
}

export type Plan = Record<PartName | 'key' | 'config', State>;

/**
 * Returns the plan, with read requests only. The key counts as existing only if it is the recorded key and is active:
 * we do not know the secret of any other key.
 * @throws ProvisioningRefused, ProvisioningUnavailable
 */
export async function planParts(provider: Provisioner, recorded: RecordedStore | null): Promise<Plan> {
  const states: Partial<Plan> = {};
  for (const name of PARTS) states[name] = stateOf(await provider.parts[name].exists());
  const hasKey = (await provider.keys()).some(({ id, active }) => active && id === recorded?.accessKeyId);
  return { ...(states as Plan), key: stateOf(hasKey), config: stateOf(hasKey && recorded?.isActive === true) };
}

const stateOf = (isThere: boolean): State => (isThere ? 'exists' : 'create');
