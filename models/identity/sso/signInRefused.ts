import type { SsoFailure } from './errors.js';
import type { SsoPlatform } from './redirects.js';

export interface RefusalFacts {
  /** Left out: of no connection that we know. */
  connectionId?: string | undefined;
  /** Where the person waits. Left out: the web. */
  platform?: SsoPlatform;
  /** Which check it was, in a word of ours; nothing that a provider said. */
  detail?: string;
}

/** A sign-in that ends at the callback with an `error`. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';

  constructor(
    readonly reason: SsoFailure,
    readonly facts: RefusalFacts,
  ) {
    super(reason);
  }
}
