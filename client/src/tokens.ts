/** Tokens of bearer sessions. */

export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** During an impersonation only: restores the admin's own session. */
  restore_token?: string;
}

/** Where an app keeps the tokens of one session, for example the secure storage of a phone. */
export interface TokenStore {
  load(): Tokens | null | Promise<Tokens | null>;
  /** @param tokens null when the session has ended */
  save(tokens: Tokens | null): void | Promise<void>;
}

/** Returns the tokens of an answer, if it has any. */
export async function tokensOf(answer: Response): Promise<Tokens | undefined> {
  try {
    const { access_token, refresh_token, restore_token } = (await answer.clone().json()) as Partial<Tokens>;
    if (access_token === undefined || refresh_token === undefined) return undefined;
    return { access_token, refresh_token, ...(restore_token !== undefined && { restore_token }) };
  } catch {
    return undefined;
  }
}
