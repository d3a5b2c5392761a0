import type { SsoFailure } from './errors.js';
import type { SsoPlatform } from './redirects.js';

export interface RefusalFacts {
  /** Absent when the connection is unknown. */
  connectionId?: string | undefined;
  /** The platform whose callback the browser returns to. Default: web. */
  platform?: SsoPlatform;
  /** The check that failed, as a code of ours. Never a text of the provider. */
  detail?: string;
}

/** A refused sign-in, reported at the callback as `error`. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';

  constructor(
    readonly reason: SsoFailure,
    readonly facts: RefusalFacts,
  ) {
    super(reason);
  }
}
