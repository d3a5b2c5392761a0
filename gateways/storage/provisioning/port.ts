/** The port that provisions a bucket with its own user: its parts, and the keys of the user. */

export interface WantedStore {
  bucket: string;
  /** The prefix that the user may read and write. */
  prefix: string;
  region: string;
  user: string;
}

/** The parts of a provisioned store, in the order in which they are created. */
export const PARTS = ['user', 'bucket', 'encryption', 'no_public_access', 'policy'] as const;
export type PartName = (typeof PARTS)[number];

/** A part is looked up with read requests only, and can be created again without harm. */
export interface Part {
  exists(): Promise<boolean>;
  create(): Promise<void>;
}

export interface UserKey {
  id: string;
  active: boolean;
}

export interface NewKey {
  id: string;
  /** The secret of the key, which the provider returns only once. */
  secret: string;
}

/** All methods throw ProvisioningRefused and ProvisioningUnavailable. */
export interface Provisioner {
  parts: Readonly<Record<PartName, Part>>;
  /** Returns the keys of the user, who may not exist yet. */
  keys(): Promise<UserKey[]>;
  /** Deletes a key. Succeeds if it does not exist. */
  deleteKey(id: string): Promise<void>;
  /** Creates a key, without a retry: a lost answer leaves a key whose secret is unknown. */
  createKey(): Promise<NewKey>;
  close(): void;
}

export const REFUSALS = ['credentials_refused', 'bucket_taken', 'refused'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Thrown if the provider refuses a request. A retry is useless until an operator fixes the cause at the provider. */
export class ProvisioningRefused extends Error {
  override readonly name = 'ProvisioningRefused';

  /** @param answer the provider's own code */
  constructor(
    readonly refusal: Refusal,
    readonly answer: string,
  ) {
    super(`The provider refused the request (${answer}).`);
  }
}

/**
 * Thrown if the provider sends no usable response, or cannot carry out the request yet. The request may have succeeded.
 */
export class ProvisioningUnavailable extends Error {
  override readonly name = 'ProvisioningUnavailable';

  constructor(readonly answer: string) {
    super(`The provider did not complete the request (${answer}).`);
  }
}
