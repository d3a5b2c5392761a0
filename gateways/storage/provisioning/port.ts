/** A bucket with a user of its own, in the platform's words: what it is made of, and that user's keys. */

export interface Wanted {
  bucket: string;
  /** Where the user may read and write. */
  prefix: string;
  region: string;
  user: string;
}

/** In the order in which they are made. */
export const PARTS = ['user', 'bucket', 'encryption', 'no_public_access', 'policy'] as const;
export type PartName = (typeof PARTS)[number];

/** Each is looked for by reads alone, and made again without harm. */
export interface Part {
  isThere(): Promise<boolean>;
  make(): Promise<void>;
}

export interface UserKey {
  id: string;
  active: boolean;
}

export interface NewKey {
  id: string;
  /** Told this once. */
  secret: string;
}

/** Everything throws ProvisioningRefused, ProvisioningUnavailable. */
export interface Provisioner {
  parts: Readonly<Record<PartName, Part>>;
  /** Those of the user, who may not be there yet. */
  keys(): Promise<UserKey[]>;
  /** What is gone already is gone. */
  deleteKey(id: string): Promise<void>;
  /** Asked once: after an answer that is lost there is a key that nobody can use. */
  makeKey(): Promise<NewKey>;
  close(): void;
}

export const REFUSALS = ['credentials_refused', 'bucket_taken', 'refused'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** No other try mends it: somebody has to look after it at the provider. */
export class ProvisioningRefused extends Error {
  override readonly name = 'ProvisioningRefused';

  /** @param answer the provider's own code */
  constructor(
    readonly refusal: Refusal,
    readonly answer: string,
  ) {
    super(`The provider refused it (${answer}).`);
  }
}

/** It gave no usable answer, or cannot do it yet. What was asked may have been done. */
export class ProvisioningUnavailable extends Error {
  override readonly name = 'ProvisioningUnavailable';

  constructor(readonly answer: string) {
    super(`The provider did not do what it was asked (${answer}).`);
  }
}
