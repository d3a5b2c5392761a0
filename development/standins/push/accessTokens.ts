/** Google's token endpoint: issues access tokens for assertions signed by the service account (RFC 7523). */
import { createHmac, createPublicKey, timingSafeEqual } from 'node:crypto';
import { verify } from 'jsonwebtoken';
import { type Answer, jsonAnswer } from '../kit/exchange.js';
import type { ServiceAccount } from './credentials.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/**
 * Audience that assertions must name. It is Google's address, although the stand-in's token endpoint has another one.
 */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const LIFETIME_SECONDS = 3_599;

export class AccessTokens {
  constructor(
    private readonly account: ServiceAccount,
    private readonly now: () => number,
  ) {}

  redeem(form: URLSearchParams): Answer {
    const refuse = (error: string, error_description: string) => jsonAnswer(400, { error, error_description });
    if (form.get('grant_type') !== GRANT) return refuse('unsupported_grant_type', 'Invalid grant_type.');
    const { client_email: issuer, private_key: key } = this.account;
    try {
      const expected = { algorithms: ['RS256' as const], issuer, audience: AUDIENCE };
      const claims = verify(form.get('assertion') ?? '', createPublicKey(key), {
        ...expected,
        clockTimestamp: this.seconds(),
      });
      if (typeof claims === 'string' || !String(claims['scope']).split(' ').includes(SCOPE))
        return refuse('invalid_scope', 'Invalid OAuth scope.');
      const lasts = (claims.exp ?? Number.POSITIVE_INFINITY) - (claims.iat ?? 0);
      if (lasts > 3_600) return refuse('invalid_grant', 'Invalid JWT: must be short-lived.');
    } catch {
      return refuse('invalid_grant', 'Invalid JWT Signature.');
    }
    const access_token = this.issue(this.seconds() + LIFETIME_SECONDS);
    return jsonAnswer(200, { access_token, expires_in: LIFETIME_SECONDS, token_type: 'Bearer' });
  }

  /**
   * Verifies an access token. Tokens are verified by their signature and not stored, so that they stay valid after a
   * restart.
   */
  isValid(authorization: string | null): boolean {
    const [, expires = '', proof = ''] = /^Bearer ya29\.(\d+)\.([A-Za-z0-9_-]+)$/.exec(authorization ?? '') ?? [];
    const expected = Buffer.from(this.proof(expires));
    const received = Buffer.from(proof);
    return (
      received.length === expected.length && timingSafeEqual(received, expected) && Number(expires) > this.seconds()
    );
  }

  private issue(expires: number): string {
    return `ya29.${expires}.${this.proof(String(expires))}`;
  }

  private proof(expires: string): string {
    return createHmac('sha256', this.account.private_key).update(expires).digest('base64url');
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000);
  }
}
