/** Sessions that are refreshed repeatedly: each refresh uses the token from the one before. */
import type { Load, Measured } from './protocol.js';
import { ask } from './world.js';

type Refreshing = Extract<Load, { kind: 'refresh' }>;
type Tokens = { refresh_token: string };

/**
 * Signs all people in, then refreshes their sessions repeatedly.
 * @returns the measurement, which begins when all people are signed in
 */
export async function refreshing({ base, logins, connections, seconds }: Refreshing): Promise<Measured> {
  const chosen = Array.from({ length: connections }, (_, n) => logins[n % logins.length] ?? logins[0]);
  const begun = await Promise.all(chosen.flatMap((login) => (login ? [ask(base, login)] : [])));
  const latencies: number[] = [];
  let failures = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const refreshRepeatedly = async (tokens: Tokens, headers: Record<string, string>) => {
    for (let token = tokens.refresh_token; performance.now() < until; ) {
      const sentAt = performance.now();
      const body = JSON.stringify({ refresh_token: token });
      const answer = ask(base, { method: 'POST', path: '/api/auth/token/refresh/', headers, body });
      const next = await answer.catch(() => null);
      latencies.push(performance.now() - sentAt);
      if (next) token = (next as Tokens).refresh_token;
      else failures += 1;
      // End this session's loop after a failed refresh, because there is no token for the next one.
      if (!next) return;
    }
  };
  await Promise.all(begun.map((tokens, n) => refreshRepeatedly(tokens as Tokens, chosen[n]?.headers ?? {})));
  const took = (performance.now() - started) / 1000;
  return { perSecond: latencies.length / took, latencies: latencies.sort((a, b) => a - b), failures };
}
