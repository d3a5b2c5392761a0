/**
 * Kills the worker of a fan-out whose post is removed before the next worker starts, and the worker of a withdrawal:
 * afterwards nobody has an unread notification of a removed post.
 */
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { notifyPublished, withdrawHiddenTexts } from '../../models/forums/notifyText.js';
import { notificationFanout } from '../../workflows/contracts/notificationFanout.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { lockWaits } from '../support/lockWaits.js';
import { holdTransaction, type WorkerDeath } from '../support/workerDies.js';
import { aWorld, type World } from '../support/world.js';

/** One more than a batch of a fan-out, and than a page of a withdrawal. */
const PEOPLE = 5_001;
const NOTIFICATION = `INSERT INTO notifications
  (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
  SELECT m.organization_id, m.user_id, 'forum_post:' || $1 || ':post', 'forum_new_post', 'new_post', 'Keys', 'forum_post', $1::uuid
    FROM forum_memberships m JOIN forum_posts p ON p.organization_id = m.organization_id AND p.forum_id = m.forum_id
   WHERE p.id = $1::uuid`;

/** Creates a forum of the organization, with its members. @returns its id */
async function aLargeForum({ organizationId, chapterId }: World): Promise<string> {
  const [forum] = await asOwner<{ id: string }>(
    `INSERT INTO forums (organization_id, name) VALUES ($1, 'Everybody') RETURNING id`,
    [organizationId],
  );
  await asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'forum-' || n || '@example.org', 'A', 'B' FROM generate_series(1, $2::int) n RETURNING id),
     members AS (
       INSERT INTO memberships (organization_id, user_id, chapter_id) SELECT $1, id, $3 FROM people)
     INSERT INTO forum_memberships (organization_id, forum_id, user_id, status) SELECT $1, $4, id, 'active' FROM people`,
    [organizationId, PEOPLE, chapterId, forum?.id],
  );
  return forum?.id as string;
}

async function aPost({ organizationId, member }: World, forum: string): Promise<string> {
  const [post] = await asOwner<{ id: string }>(
    `INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, request_hash)
     VALUES ($1, $2, $3, 'Keys', 'x', 'x', 'x') RETURNING id`,
    [organizationId, forum, member.userId],
  );
  return post?.id as string;
}

async function removePost({ organizationId, admin }: World, id: string): Promise<void> {
  await asOwner(`UPDATE forum_posts SET status = 'removed', deleted_at = now(), deleted_by = $2 WHERE id = $1`, [
    id,
    admin.userId,
  ]);
  await inTenant(organizationId, () => withdrawHiddenTexts(id));
}

const notificationsOf = async (post: string) =>
  (
    await asOwner(
      `SELECT count(*) FILTER (WHERE unlisted_reason IS NULL)::int AS listed,
              count(*) FILTER (WHERE unlisted_reason = 'withdrawn')::int AS withdrawn,
              (SELECT count(*)::int FROM notification_deliveries d WHERE d.outcome IS NULL AND d.notification_id IN
                (SELECT id FROM notifications WHERE subject_id = $1)) AS unsent
         FROM notifications WHERE subject_id = $1`,
      [post],
    )
  )[0];

const untilLockWait = () => eventually(lockWaits, (waits) => waits.length > 0, 60);

export function killedForums(): WorkerDeath[] {
  let world: World;
  let forum: string;

  return [
    {
      name: 'a fan-out whose worker is killed, and whose post is removed meanwhile, notifies nobody',
      async begin() {
        world = await aWorld({ members: 1 });
        forum = await aLargeForum(world);
        const post = await aPost(world, forum);
        // The second batch, of one person, waits for the same notification in another transaction.
        const release = await holdTransaction(`${NOTIFICATION} ORDER BY m.user_id DESC LIMIT 1`, [post]);
        await inTenant(world.organizationId, () =>
          notifyPublished(
            { id: post, forum_id: forum, post_id: post, comment_id: null, author_id: world.member.userId },
            [],
          ),
        );
        const [fanout] = await asOwner<{ id: string }>('SELECT id FROM notification_fanouts WHERE subject_id = $1', [
          post,
        ]);
        const { organizationId } = world;
        const handle = () =>
          temporal().workflow.getHandle(
            notificationFanout.workflowId({ organizationId, fanoutId: fanout?.id as string }),
          );
        return {
          kills: [
            {
              when: untilLockWait,
              async meanwhile() {
                expect(await notificationsOf(post)).toMatchObject({ listed: PEOPLE - 1 });
                await release();
                await removePost(world, post);
              },
            },
          ],
          async after() {
            // After it was called off, and has withdrawn what it sent, the process waits for its cancellation.
            await eventually(
              async () => (await handle().fetchHistory()).events ?? [],
              (events) => events.some((event) => event.timerStartedEventAttributes),
              90,
            );
            expect(await notificationsOf(post)).toEqual({ listed: 0, withdrawn: PEOPLE - 1, unsent: 0 });
          },
        };
      },
    },
    {
      name: 'a withdrawal whose worker is killed between two pages withdraws all notifications',
      async begin() {
        const post = await aPost(world, forum);
        await asOwner(NOTIFICATION, [post]);
        const release = await holdTransaction(
          'SELECT FROM notifications WHERE subject_id = $1 ORDER BY id DESC LIMIT 1 FOR UPDATE',
          [post],
        );
        await removePost(world, post);
        return {
          kills: [
            {
              when: untilLockWait,
              async meanwhile() {
                expect(await notificationsOf(post)).toMatchObject({ listed: 1, withdrawn: PEOPLE - 1 });
                await release();
              },
            },
          ],
          async after() {
            await eventually(
              () => asOwner('SELECT FROM forum_withdrawals WHERE post_id = $1 AND finished_at IS NOT NULL', [post]),
              (rows) => rows.length > 0,
              90,
            );
            expect(await notificationsOf(post)).toEqual({ listed: 0, withdrawn: PEOPLE, unsent: 0 });
          },
        };
      },
    },
  ];
}
