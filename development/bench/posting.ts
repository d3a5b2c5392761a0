/** Compares the time of a post to the forum of all people with the time of a post to a forum of ten. */
import type { Client } from 'pg';
import { type Check, check } from './audience.js';
import { chooseForums, feedPath, type ForumReader } from './forums.js';
import type { Call } from './protocol.js';
import { median } from './rounds.js';
import { ask, signInAll, type World } from './world.js';

export const POSTING = 'post to a large forum';

const FEW = 10;

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Number of posts to each forum. */
  posts: number;
}

/**
 * Posts to both forums in turn, while no worker notifies. The fan-outs of the posts are cancelled at the end, so that they
 * do not disturb later measurements.
 */
export async function measurePosting({ owner, api, world, posts }: Setup): Promise<Check[]> {
  const [large] = await chooseForums(owner, await signInAll(api, world.readers.members.slice(0, 1)));
  if (large === undefined) throw new Error('There is no forum.');
  const small = await makeSmallForum(owner, large);
  const [toMany, toFew] = [[], []] as [number[], number[]];
  for (let n = 0; n < posts; n += 1) {
    toFew.push(await timeOf(api, small));
    toMany.push(await timeOf(api, large));
  }
  await owner.query(
    `UPDATE notification_fanouts SET status = 'cancelled', closed_at = now()
      WHERE status = 'running' AND notification_type = 'forum_new_post'`,
  );
  const { rows } = await owner.query<{ people: number }>('SELECT member_count AS people FROM forums WHERE id = $1', [
    large.forumId,
  ]);
  const [many, few] = [median(toMany), median(toFew)];
  const what = `${POSTING}, ${rows[0]?.people} people (${many.toFixed(1)} ms), compared with ${FEW} (${few.toFixed(1)} ms), p50`;
  return [check(what, many / few, 1.5, 'x')];
}

/** Creates a forum with the writer and nine other members of the large forum. */
async function makeSmallForum(owner: Client, large: ForumReader): Promise<ForumReader> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO forums (organization_id, name) VALUES ($1, 'A few') RETURNING id`,
    [large.organizationId],
  );
  const forumId = rows[0]?.id as string;
  await owner.query(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, status)
     SELECT m.organization_id, $2, m.user_id, 'active' FROM forum_memberships m JOIN users u ON u.id = m.user_id
      WHERE m.forum_id = $1 AND m.status = 'active' ORDER BY u.email <> $3, m.id LIMIT ${FEW}`,
    [large.forumId, forumId, large.email],
  );
  return { ...large, forumId };
}

async function timeOf(api: string, forum: ForumReader): Promise<number> {
  const call: Call = {
    method: 'POST',
    path: feedPath(forum),
    headers: { ...forum.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Keys', body: 'Who has the *spare* keys?' }),
  };
  const begun = performance.now();
  await ask(api, call);
  return performance.now() - begun;
}
