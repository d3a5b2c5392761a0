/**
 * Measures how a group of prospects becomes members together (it crosses), from the confirmation to the end of the last
 * workflow. This includes each invitation mail and each account at the office suite.
 */
import type { Client } from 'pg';
import type { AccountsStandin } from '../standins/accounts/server.js';
import { SUITE } from '../standins/accounts/credentials.js';
import { type Check, check } from './audience.js';
import type { Call } from './protocol.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const CROSSING = 'a line that crosses';

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Starts the worker for all workflows that follow. */
  startWorker: () => Promise<unknown>;
  /** The office suite in which the new members get accounts. */
  suite: AccountsStandin;
  members: number;
}

const POLLING = { pollMs: 50, patienceMs: 120_000, otherwise: 'The crossing did not end in time.' };

export async function measureCrossing({ owner, api, world, startWorker, suite, members }: Setup): Promise<Check[]> {
  const headers = { ...(await signIn(api, world.admin)), 'Content-Type': 'application/json' };
  await ask(api, {
    method: 'PUT',
    path: `/api/organizations/${world.organizationId}/provisioning-config/`,
    headers,
    body: JSON.stringify({ ...SUITE_CONFIG, credentials: suite.credentials.workspace }),
  });
  const pnm_ids = await makeLine(owner, world, members);
  const cross = (body: object) => {
    const call: Call = { method: 'POST', path: `/api/chapters/${world.chapterId}/pnm/cross/`, headers };
    return ask(api, { ...call, body: JSON.stringify({ pnm_ids, ...body }) });
  };
  const { preview_hash } = (await cross({ dry_run: true })) as { preview_hash: string };
  await startWorker();
  const begun = performance.now();
  await cross({ preview_hash });
  const crossed = performance.now() - begun;
  await untilDone(owner, pnm_ids);
  const what = `crossing of a line of ${members}, to the last invitation and account (all are members after ${crossed.toFixed(0)} ms)`;
  return [check(what, (performance.now() - begun) / 1000, 20, 's')];
}

const SUITE_CONFIG = {
  provider: 'workspace_suite',
  domain: SUITE.domain,
  address_template: '{first}.{last}',
  unit: SUITE.units[0],
  groups: SUITE.groups,
  on_leave: 'keep',
};

/** Inserts prospective members without accounts who filled in their applications. @returns their profiles' ids */
async function makeLine(owner: Client, { organizationId, chapterId }: World, members: number): Promise<string[]> {
  await owner.query(
    `WITH people AS (
       INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at)
       SELECT $1, 'crosses-' || n || '@bench.example.org', 'Ada', 'No ' || n, now() FROM generate_series(1, $3::int) AS n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id, status) SELECT $1, id, $2, 'pnm' FROM people`,
    [organizationId, chapterId, members],
  );
  const { rows } = await owner.query<{ id: string }>(
    `UPDATE pnm_profiles p SET stage = 'in_progress', birth_date = '2005-04-12', phone_number = '+1 555 0100',
            permanent_address = '1 Main Street', expected_graduation_semester = 'Spring', expected_graduation_year = 2030
       FROM memberships m JOIN users u ON u.id = m.user_id AND u.typed_email LIKE 'crosses-%@bench.example.org'
      WHERE m.organization_id = $1 AND p.organization_id = $1 AND p.membership_id = m.id RETURNING p.id`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

/** Waits until every prospect has become a member, every mail is sent and each member has an account. */
const untilDone = (owner: Client, profiles: string[]): Promise<true> =>
  until(async () => {
    const { rows } = await owner.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM crossings WHERE profile_id = ANY ($1) AND welcomed_at IS NULL)
           OR EXISTS (SELECT FROM account_notices WHERE email LIKE 'crosses-%@bench.example.org' AND outcome IS NULL)
           OR cardinality($1::uuid[]) > (
                SELECT count(*) FROM pnm_profiles p JOIN account_provisioning_records r ON r.membership_id = p.membership_id
                 WHERE p.id = ANY ($1) AND r.status = 'active') AS open`,
      [profiles],
    );
    return !rows[0]?.open || null;
  }, POLLING);
