/** Demo of forums: who reads, who becomes a member, a thread and its answer, and what moderators do. */
import { DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

type Organization = DemoFacts['organizations'][number];

/** A forum of a chapter, its people, and the thread that they talk about. */
interface ForumStage {
  /** Created the forum, and is its admin. */
  officer: DemoClient;
  member: DemoClient;
  /** Admin of another organization. Null if the demo has one organization only. */
  outsider: DemoClient | null;
  forum: string;
  thread: string;
}

/**
 * Plays the life of a thread in a new forum.
 * @throws DemoFailed
 */
export async function showForums(facts: DemoFacts): Promise<boolean> {
  const stage = await openForum(facts);
  for (const act of [talk, moderate, refuse]) await act(stage);
  return true;
}

async function openForum(facts: DemoFacts): Promise<ForumStage> {
  screen.chapter('1. An officer opens a forum of the chapter and asks');
  const [own, other] = facts.organizations as [Organization, Organization?];
  const as = (person: Organization['users']['admin'], { slug }: Organization) =>
    DemoClient.signIn(facts.base_url, person, slug);
  const officer = await as(own.users.officer, own);
  const member = await as(own.users.member, own);
  const outsider = other === undefined ? null : await as(other.users.admin, other);
  const chapter = own.users.officer.chapter_id;
  const name = `House and keys (${new Date().toISOString().slice(11, 19)})`;
  const forum = await expectStatus(officer.post('/api/forums/', { name, chapter, visibility: 'open' }), 201);
  screen.done(`"${name}" is open to the chapter; the officer is its ${String(forum['my_role'])}.`);
  const post = { title: 'Spare keys', body: 'Who has the *spare* keys?\n\n![the door](https://example.org/door.png)' };
  const thread = await expectStatus(officer.post(`/api/forums/${forum.id}/posts/`, post), 201);
  screen.done('The officer asks. The Markdown is rendered once, and the image became a link:');
  screen.note(String(thread['body_html']));
  return { officer, member, outsider, forum: forum.id, thread: thread.id };
}

const pathOf = ({ forum, thread }: ForumStage, rest = ''): string => `/api/forums/${forum}/posts/${thread}/${rest}`;

async function talk(stage: ForumStage): Promise<void> {
  screen.chapter('2. A member reads, and answers');
  const { officer, member, forum } = stage;
  const seen = await member.get<Row>(`/api/forums/${forum}/`);
  screen.done(`The first read made the reader a ${String(seen['my_role'])}, of ${String(seen['member_count'])}.`);
  const answer = { body: 'I do, in room 12.', idempotency_key: crypto.randomUUID() };
  const first = await expectStatus(member.post(pathOf(stage, 'comments/'), answer), 201);
  const again = await expectStatus(member.post(pathOf(stage, 'comments/'), answer), 201);
  if (first.id !== again.id) throw new DemoFailed('The repeated request wrote a second comment.');
  screen.done('The member answers; the same request sent twice wrote one comment.');
  const { unread_count: unread } = await officer.get<Row>(`/api/forums/${forum}/`);
  await expectStatus(officer.post(pathOf(stage, 'read/'), {}), 204);
  const { unread_count: left } = await officer.get<Row>(`/api/forums/${forum}/`);
  screen.done(`The officer has ${String(unread)} unread thread, and ${String(left)} after reading it.`);
}

async function moderate(stage: ForumStage): Promise<void> {
  screen.chapter('3. The officer pins and locks the thread');
  const { officer, member } = stage;
  await expectStatus(officer.post(pathOf(stage, 'pin/'), {}));
  await expectStatus(officer.post(pathOf(stage, 'lock/'), {}));
  const [first] = (await member.get<Page>(`/api/forums/${stage.forum}/posts/`)).results;
  screen.done(`"${String(first?.['title'])}" is pinned: ${String(first?.['is_pinned'])}.`);
  const late = await member.post(pathOf(stage, 'comments/'), { body: 'One more thing' });
  screen.note(`a comment of the member: ${late.status} ${String(late.body['code'])}`);
}

async function refuse({ outsider, forum }: ForumStage): Promise<void> {
  screen.chapter('4. Nobody reads what is not theirs');
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
