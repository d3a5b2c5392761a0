import type { SsoFailure } from './errors.js';
import type { SsoPlatform } from './redirects.js';

export interface RefusalFacts {
  /** Absent when the connection is unknown. */
  connectionId?: string | undefined;
  /** The platform whose callback the browser returns to. Default: web. */
  platform?: SsoPlatform;
  /** The check that failed, as one of our codes. Never the provider's text. */
  detail?: string;
}

/** A refused sign-in. The callback reports its reason as `error`. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';

  constructor(
    readonly reason: SsoFailure,
    readonly facts: RefusalFacts,
  ) {
    super(reason);
  }
}
