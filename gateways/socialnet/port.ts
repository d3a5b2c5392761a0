/** The port to a professional network. */

export interface NetworkPerson {
  /** The network's own id of the person, which never changes. */
  subject: string;
  name: string | null;
  email: string | null;
}

export interface NetworkTokens {
  accessToken: string;
  refreshToken: string | null;
  /** The lifetime of the access token in seconds; null if the network did not report it. */
  expiresIn: number | null;
}

export interface NetworkPort {
  /**
   * Returns the page of the network on which the person consents; it redirects to `redirectUri` with a code and this
   * state.
   */
  authorizationUrl(question: { state: string; redirectUri: string }): string;
  /**
   * Redeems an authorization code and reads the person who gave consent.
   * @throws CodeRefused if the network refuses the code
   * @throws NetworkUnavailable if the network does not answer, or not according to the protocol
   */
  redeem(answer: { code: string; redirectUri: string }): Promise<NetworkPerson & NetworkTokens>;
  /**
   * Publishes a post. The network has no idempotency keys, so after a lost answer the outcome is unknown.
   * @returns the network's id of the post
   * @throws PostRefused if the post was not published; NetworkBusy if it was not published, but a later attempt may
   * succeed
   * @throws NetworkUnavailable if the post may have been published
   */
  publish(post: NetworkPost): Promise<string>;
  /**
   * Finds a post of the person with this text that is not older than `since`.
   * @returns the network's id of the post; null if it is not among the newest posts
   * @throws PostRefused if this application may not read posts, NetworkUnavailable
   */
  find(post: NetworkPost & { since: Date }): Promise<string | null>;
}

/** A post in the name of a person. */
export interface NetworkPost {
  accessToken: string;
  /** The network's own id of the person. */
  subject: string;
  text: string;
  linkUrl: string | null;
}

/** The authorization code is wrong, used, expired, or was issued for another redirect address. */
export class CodeRefused extends Error {
  override readonly name = 'CodeRefused';
}

/** The network did not respond as expected. The request may succeed later, with a new authorization code. */
export class NetworkUnavailable extends Error {
  override readonly name = 'NetworkUnavailable';

  /** @param code a short word for the log, never the network's text */
  constructor(readonly code: string) {
    super(`The professional network did not answer as expected (${code}).`);
  }
}

/** The network refused a post: the link is no longer valid, the link does not permit posts, or the post is invalid. */
export class PostRefused extends Error {
  override readonly name = 'PostRefused';

  /** @param duplicateOf the id of an identical post */
  constructor(
    readonly code: 'not_linked' | 'not_permitted' | 'refused' | 'duplicate',
    readonly duplicateOf: string | null = null,
  ) {
    super(`The professional network refused the post (${code}).`);
  }
}

/** The network accepts no posts at the moment. */
export class NetworkBusy extends Error {
  override readonly name = 'NetworkBusy';

  constructor(readonly retryAfterSeconds: number) {
    super('The professional network accepts no posts at the moment.');
  }
}
