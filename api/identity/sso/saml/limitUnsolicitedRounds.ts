import { SignInRefused } from '../../../../models/identity/sso/signInRefused.js';
import type { AnswerCookie, RequestFacts } from '../../../http/routes.js';
import { loadParty } from './party.js';

const NAME = 'sso_unsolicited';
const MAX_ROUNDS = 3;
const COUNTER_SECONDS = 60;

/**
 * Limits how often a browser is sent to a provider whose responses to our requests look unsolicited. Without a limit,
 * the browser would be redirected for ever.
 * @returns the cookie that counts the rounds in the browser
 * @throws SignInRefused, Refusal not_found
 */
export async function limitUnsolicitedRounds({ raw }: RequestFacts, slug: string): Promise<AnswerCookie[]> {
  const rounds = Number((raw.cookies as Record<string, unknown> | undefined)?.[NAME] ?? 0) || 0;
  if (rounds >= MAX_ROUNDS) {
    const { connection } = await loadParty(slug);
    throw new SignInRefused('response_invalid', { connectionId: connection.id, detail: 'unsolicited' });
  }
  return [
    { name: NAME, value: String(rounds + 1), path: `/api/auth/sso/saml/${slug}/`, maxAgeSeconds: COUNTER_SECONDS },
  ];
}
