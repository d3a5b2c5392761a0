/** What the platform asks of a professional network, in our words. */

export interface NetworkPerson {
  /** The network's own id of the person, which never changes. */
  subject: string;
  name: string | null;
  email: string | null;
}

export interface NetworkTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds that the access token holds; null when the network did not say. */
  expiresIn: number | null;
}

export interface NetworkPort {
  /** Where the person agrees; from there they come back to `redirectUri` with a code and this state. */
  authorizationUrl(question: { state: string; redirectUri: string }): string;
  /**
   * Redeems a code, and asks who gave it.
   * @throws CodeRefused when the network does not take the code
   * @throws NetworkUnavailable when it does not answer, or not as the protocol says
   */
  redeem(answer: { code: string; redirectUri: string }): Promise<NetworkPerson & NetworkTokens>;
  /**
   * Publishes a post. The network knows no idempotency key: of a lost answer nobody knows what it was.
   * @returns the network's id of it
   * @throws PostRefused when it was not made, NetworkBusy when it was not made and may be later
   * @throws NetworkUnavailable when it may have been made
   */
  publish(post: NetworkPost): Promise<string>;
  /**
   * Looks for a post of the person's with this text, no older than `since`.
   * @returns the network's id of it; null when it is not among their newest
   * @throws PostRefused when this application may not look, NetworkUnavailable
   */
  find(post: NetworkPost & { since: Date }): Promise<string | null>;
}

/** What is said at the network, in a person's name. */
export interface NetworkPost {
  accessToken: string;
  /** The network's own id of the person. */
  subject: string;
  text: string;
  linkUrl: string | null;
}

/** The code is wrong, used, expired, or was issued for another address. */
export class CodeRefused extends Error {
  override readonly name = 'CodeRefused';
}

/** A later attempt may succeed, with a new code. */
export class NetworkUnavailable extends Error {
  override readonly name = 'NetworkUnavailable';

  /** @param code a short word for the log, never the network's text */
  constructor(readonly code: string) {
    super(`The professional network did not answer as expected (${code}).`);
  }
}

/** The network did not take a post: the link holds no longer, it does not allow posts, or the post is none that it takes. */
export class PostRefused extends Error {
  override readonly name = 'PostRefused';

  /** @param duplicateOf the id of one just like it */
  constructor(
    readonly code: 'not_linked' | 'not_permitted' | 'refused' | 'duplicate',
    readonly duplicateOf: string | null = null,
  ) {
    super(`The professional network did not take the post (${code}).`);
  }
}

/** The network takes no posts at the moment. */
export class NetworkBusy extends Error {
  override readonly name = 'NetworkBusy';

  constructor(readonly retryAfterSeconds: number) {
    super('The professional network takes no posts at the moment.');
  }
}
