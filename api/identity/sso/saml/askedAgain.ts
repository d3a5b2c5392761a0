import { SignInRefused } from '../../../../models/identity/sso/signInRefused.js';
import type { AnswerCookie, RequestFacts } from '../../../http/routes.js';
import { partyOf } from './party.js';

const NAME = 'sso_unsolicited';
const MOST = 3;
const SECONDS = 60;

/**
 * A provider that answers our requests as if nobody had asked would send the browser round for ever.
 * @returns what counts the rounds in the browser. @throws SignInRefused, Refusal not_found
 */
export async function askedAgain({ raw }: RequestFacts, slug: string): Promise<AnswerCookie[]> {
  const rounds = Number((raw.cookies as Record<string, unknown> | undefined)?.[NAME] ?? 0) || 0;
  if (rounds >= MOST) {
    const { connection } = await partyOf(slug);
    throw new SignInRefused('response_invalid', { connectionId: connection.id, detail: 'unsolicited' });
  }
  return [{ name: NAME, value: String(rounds + 1), path: `/api/auth/sso/saml/${slug}/`, maxAgeSeconds: SECONDS }];
}
