import { oneRow } from '../../database/rows.js';
import { configuredPlatforms } from './configured.js';
import { PLATFORMS, type Platform } from './PushToken.js';

const PUSH_OUTCOMES = [
  'success',
  'unregistered',
  'transient_failure',
  'skipped_no_credentials',
  'suppressed_by_preference',
] as const;
export type PushOutcome = (typeof PUSH_OUTCOMES)[number];

interface PushHealth {
  since: string;
  platforms: Record<Platform, Record<PushOutcome, number>>;
  configured: Record<Platform, boolean>;
}

/** What became of the pushes of the last 24 hours, in all organizations. */
export async function readPushHealth(): Promise<PushHealth> {
  const { since, counts } = await oneRow<{
    since: string;
    counts: { platform: Platform; outcome: PushOutcome; count: number }[];
  }>(
    `SELECT to_json(now() - interval '24 hours') AS since,
            (SELECT coalesce(json_agg(h), '[]') FROM app.push_health(now() - interval '24 hours') h) AS counts`,
  );
  const of = (platform: Platform) =>
    Object.fromEntries(
      PUSH_OUTCOMES.map((outcome) => [
        outcome,
        counts.find((row) => row.platform === platform && row.outcome === outcome)?.count ?? 0,
      ]),
    );
  const platforms = Object.fromEntries(PLATFORMS.map((platform) => [platform, of(platform)]));
  return { since, platforms: platforms as PushHealth['platforms'], configured: configuredPlatforms() };
}
