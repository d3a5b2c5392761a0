/** Issued authorization codes and access tokens (RFC 6749, 4.1). */
import { createHash, randomBytes } from 'node:crypto';
import { page, redirect } from '../kit/html.js';
import { type Answer, jsonAnswer } from '../kit/exchange.js';

const CODE_MS = 5 * 60_000;
/** Lifetime of the real network's tokens. */
const TOKEN_SECONDS = 60 * 24 * 60 * 60;

interface Person {
  sub: string;
  name: string;
  email: string;
}

interface Code {
  person: Person;
  scope: string;
  redirectUri: string;
  expires: number;
}

const random = (): string => randomBytes(32).toString('base64url');

/** Derives the person from the address. */
const personOf = (name: string, email: string): Person => ({
  sub: createHash('sha256').update(email).digest('base64url').slice(0, 10),
  name,
  email,
});

export class Grants {
  private readonly codes = new Map<string, Code>();
  private readonly tokens = new Map<string, Person & { scope: string }>();

  constructor(private readonly client: { id: string; secret: string }) {}

  /**
   * Checks an authorization request. Like the real network, it accepts only redirect URIs with http or https, not an
   * app's own scheme.
   * @returns a description of the problem, or null if the request is valid
   */
  problemOf(question: URLSearchParams): string | null {
    if (question.get('client_id') !== this.client.id) return 'There is no such client.';
    if (!/^https?:\/\//.test(question.get('redirect_uri') ?? '')) return 'The redirect_uri must use http or https.';
    return question.get('response_type') === 'code' ? null : 'The response_type must be code.';
  }

  /** Redirects the person back with a code, or with the network's error when the person cancels. */
  decide(form: URLSearchParams): Answer {
    const problem = this.problemOf(form);
    if (problem) return page('The request is not valid', `<p role="alert">${problem}</p>`, 400);
    const back = new URL(form.get('redirect_uri') ?? '');
    back.searchParams.set('state', form.get('state') ?? '');
    if (form.get('decision') === 'allow') back.searchParams.set('code', this.grant(form));
    else {
      back.searchParams.set('error', 'user_cancelled_login');
      back.searchParams.set('error_description', 'The member declined to log in.');
    }
    return redirect(back.href);
  }

  private grant(form: URLSearchParams): string {
    const code = random();
    const person = personOf(form.get('name') ?? '', form.get('email') ?? '');
    const scope = form.get('scope') ?? '';
    this.codes.set(code, { person, scope, redirectUri: form.get('redirect_uri') ?? '', expires: Date.now() + CODE_MS });
    return code;
  }

  redeem(form: URLSearchParams): Answer {
    const { id, secret } = this.client;
    if (form.get('client_id') !== id || form.get('client_secret') !== secret) {
      return jsonAnswer(401, { error: 'invalid_client' });
    }
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const isValidCode =
      code !== undefined && code.expires > Date.now() && code.redirectUri === form.get('redirect_uri');
    if (form.get('grant_type') !== 'authorization_code' || !isValidCode)
      return jsonAnswer(400, { error: 'invalid_grant' });
    const token = random();
    this.tokens.set(token, { ...code.person, scope: code.scope });
    return jsonAnswer(200, {
      access_token: token,
      refresh_token: random(),
      expires_in: TOKEN_SECONDS,
      token_type: 'Bearer',
      scope: code.scope.split(' ').toSorted().join(','),
    });
  }

  /** Returns the person and scope of a token. */
  holderOf(authorization: string | null): (Person & { scope: string }) | undefined {
    return this.tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
  }

  userinfo(authorization: string | null): Answer {
    const holder = this.holderOf(authorization);
    if (!holder) return jsonAnswer(401, { error: 'invalid_token' });
    const { scope: _, ...person } = holder;
    return jsonAnswer(200, { ...person, email_verified: true, locale: { country: 'US', language: 'en' } });
  }
}
