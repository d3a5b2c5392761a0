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
