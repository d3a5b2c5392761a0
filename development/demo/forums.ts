/** Demo of forums: a thread with a mention and a reply, and a post that is flagged, removed, and restored by an appeal. */
import { DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

type Organization = DemoFacts['organizations'][number];

/** A forum of a chapter, its people, and the thread that they talk about. */
interface ForumStage {
  /** Created the forum, and is its admin. */
  officer: DemoClient;
  member: DemoClient;
  /** Admin of the organization: an admin of the forum by office. */
  admin: DemoClient;
  /** Admin of another organization. Null if the demo has one organization only. */
  outsider: DemoClient | null;
  forum: string;
  thread: string;
}

/**
 * Plays the life of a thread in a new forum, and the moderation of a post.
 * @throws DemoFailed
 */
export async function showForums(facts: DemoFacts): Promise<boolean> {
  const stage = await openForum(facts);
  for (const act of [answer, reply, moderate, review, refuse]) await act(stage);
  return true;
}

async function openForum(facts: DemoFacts): Promise<ForumStage> {
  screen.chapter('1. An officer opens a forum of the chapter and asks');
  const [own, other] = facts.organizations as [Organization, Organization?];
  const as = (person: Organization['users']['admin'], { slug }: Organization) =>
    DemoClient.signIn(facts.base_url, person, slug);
  const officer = await as(own.users.officer, own);
  const member = await as(own.users.member, own);
  const admin = await as(own.users.admin, own);
  const outsider = other === undefined ? null : await as(other.users.admin, other);
  const chapter = own.users.officer.chapter_id;
  const name = `House and keys (${new Date().toISOString().slice(11, 19)})`;
  const forum = await expectStatus(officer.post('/api/forums/', { name, chapter, visibility: 'open' }), 201);
  screen.done(`"${name}" is open to the chapter; the officer is its ${String(forum['my_role'])}.`);
  const post = { title: 'Spare keys', body: 'Who has the *spare* keys?\n\n![the door](https://example.org/door.png)' };
  const thread = await expectStatus(officer.post(`/api/forums/${forum.id}/posts/`, post), 201);
  screen.done('The officer asks. The Markdown is rendered once, and the image became a link:');
  screen.note(String(thread['body_html']));
  return { officer, member, admin, outsider, forum: forum.id, thread: thread.id };
}

const pathOf = ({ forum, thread }: ForumStage, rest = ''): string => `/api/forums/${forum}/posts/${thread}/${rest}`;

/** Returns a person's notifications about a post or a case, the newest first. */
async function notificationsAbout(person: DemoClient, subject: string): Promise<Row[]> {
  const { results } = await person.get<Page>('/api/notifications/');
  return results.filter((row) => (row['subject'] as Row | null)?.id === subject);
}

/** Requires that the newest notification is of a type, and prints its title. @throws DemoFailed */
async function expectNotified(person: DemoClient, subject: string, type: string): Promise<Row[]> {
  const found = await notificationsAbout(person, subject);
  if (found[0]?.['notification_type'] !== type) throw new DemoFailed(`There is no notification ${type}.`);
  screen.note(`notification: ${String(found[0]['title'])}`);
  return found;
}

async function answer(stage: ForumStage): Promise<void> {
  screen.chapter('2. A member reads, and answers with a mention');
  const { officer, member, forum, thread } = stage;
  const seen = await member.get<Row>(`/api/forums/${forum}/`);
  screen.done(`The first read made the reader a ${String(seen['my_role'])}, of ${String(seen['member_count'])}.`);
  const { username } = await officer.get<Row>('/api/forums/me/');
  const comment = { body: `I do, @${String(username)}: room 12.`, idempotency_key: crypto.randomUUID() };
  const first = await expectStatus(member.post(pathOf(stage, 'comments/'), comment), 201);
  const again = await expectStatus(member.post(pathOf(stage, 'comments/'), comment), 201);
  if (first.id !== again.id) throw new DemoFailed('The repeated request wrote a second comment.');
  screen.done('The same request sent twice wrote one comment. Whom it mentions:');
  screen.note(JSON.stringify(first['mentions']));
  const heard = await expectNotified(officer, thread, 'forum_mention');
  if (heard.length !== 1) throw new DemoFailed('The officer heard twice of one comment.');
  screen.done('The officer hears of it once: as a mention, not as a reply too.');
}

async function reply(stage: ForumStage): Promise<void> {
  screen.chapter('3. The officer reads, and replies');
  const { officer, member, forum, thread } = stage;
  const { unread_count: unread } = await officer.get<Row>(`/api/forums/${forum}/`);
  await expectStatus(officer.post(pathOf(stage, 'read/'), {}), 204);
  const { unread_count: left } = await officer.get<Row>(`/api/forums/${forum}/`);
  const [mention] = await notificationsAbout(officer, thread);
  screen.done(`The officer has ${String(unread)} unread thread, and ${String(left)} after reading it.`);
  screen.note(`the notification of the mention is read: ${String(mention?.['is_read'])}`);
  await expectStatus(officer.post(pathOf(stage, 'comments/'), { body: 'Thank you!' }), 201);
  await expectNotified(member, thread, 'forum_reply');
  screen.done('The member, who wrote in the thread, hears of the reply.');
}

async function moderate(stage: ForumStage): Promise<void> {
  screen.chapter('4. The officer pins and locks the thread');
  const { officer, member } = stage;
  await expectStatus(officer.post(pathOf(stage, 'pin/'), {}));
  await expectStatus(officer.post(pathOf(stage, 'lock/'), {}));
  const [first] = (await member.get<Page>(`/api/forums/${stage.forum}/posts/`)).results;
  screen.done(`"${String(first?.['title'])}" is pinned: ${String(first?.['is_pinned'])}.`);
  const late = await member.post(pathOf(stage, 'comments/'), { body: 'One more thing' });
  screen.note(`a comment of the member: ${late.status} ${String(late.body['code'])}`);
}

async function review(stage: ForumStage): Promise<void> {
  screen.chapter('5. A post is flagged, removed, and published again by an appeal');
  const { officer, member, admin, forum } = stage;
  const text = { title: 'For sale', body: 'My bicycle, for a good price.' };
  const { id: post } = await expectStatus(member.post(`/api/forums/${forum}/posts/`, text), 201);
  const path = `/api/forums/${forum}/posts/${post}/`;
  await expectStatus(admin.post(`${path}flag/`, { reason: 'Advertising' }), 201);
  const flagged = await caseOf(officer, post);
  screen.done('A reader flags a post. It waits in the review queue of the forum:');
  screen.note(`"${String(flagged['title'])}", opened by a ${String(flagged['opened_by'])}`);
  const decidePath = `/api/forums/review-queue/${flagged.id}/decide/`;
  const removal = { decision: 'remove', reason: 'No sales here.', version: flagged['version'] };
  await expectStatus(officer.post(decidePath, removal));
  const { status, body } = await member.get<Row>(path);
  screen.done(`The officer removes it: its status is ${String(status)}, its body ${JSON.stringify(body)}.`);
  await expectNotified(member, flagged.id, 'forum_case_decided');
  await expectStatus(member.post(`${path}appeal/`, { text: 'It is for a member of the chapter.' }), 204);
  const appealed = await caseOf(admin, post);
  const approval = { decision: 'approve', version: appealed['version'] };
  const refused = await officer.post(decidePath, approval);
  screen.done('The author appeals. The officer who removed the post does not decide about it:');
  screen.note(`${refused.status} ${String(refused.body['code'])}`);
  if (refused.status !== 403) throw new DemoFailed('The officer decided about an appeal against their own removal.');
  await expectStatus(admin.post(decidePath, approval));
  const restored = await officer.get<Row>(path);
  screen.done(`An admin of the organization decides finally: the post is ${String(restored['status'])} again.`);
  await expectNotified(member, flagged.id, 'forum_appeal_decided');
}

/** Returns the case of a post in a person's review queue. @throws DemoFailed */
async function caseOf(person: DemoClient, post: string): Promise<Row> {
  const { results } = await person.get<Page>('/api/forums/review-queue/?page_size=100');
  const found = results.find((row) => row['post'] === post);
  if (found === undefined) throw new DemoFailed('The post is not in the review queue.');
  return found;
}

async function refuse({ outsider, forum }: ForumStage): Promise<void> {
  screen.chapter('6. Nobody reads what is not theirs');
  if (outsider === null) return screen.note('There is one organization only.');
  for (const [what, id] of [
    ['this forum', forum],
    ['an unknown one', crypto.randomUUID()],
  ] as const) {
    const { status, body } = await outsider.post(`/api/forums/${id}/join/`, {});
    screen.note(`an admin of another organization joins ${what}: ${status} ${String(body['code'])}`);
    if (status !== 404) throw new DemoFailed('A forum of another organization was found.');
  }
  screen.done('A forum that one cannot see is answered like one that does not exist.');
}
