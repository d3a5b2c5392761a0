/** The health of the platform, as a platform admin reads it over HTTP. */
import type { Client } from './api.js';

export interface HealthCheck {
  name: string;
  status: string;
  detail: string;
  advice: string | null;
  /** Paused schedules. */
  paused?: string[];
}

/** Reads the health. Expects one sentence of advice for each check that is not ok, and no internals. */
export async function readHealth(client: Client): Promise<{ status: string; checks: Record<string, HealthCheck> }> {
  const { status, body } = await client.get<{ status: string; checks: HealthCheck[] }>('/api/platform/health/');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toMatch(/localhost|127\.0\.0\.1|:\d{4}|SELECT|Error|\bat \//);
  for (const check of body.checks)
    expect(check.advice).toEqual(check.status === 'ok' ? null : expect.stringMatching(/^[A-Z].+\.$/));
  return { status: body.status, checks: Object.fromEntries(body.checks.map((check) => [check.name, check])) };
}
