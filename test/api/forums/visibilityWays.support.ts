/** Compares each way out of a forum with the model: what a person reads, finds, is notified of, and gets by mail. */
import { inTenant } from '../../../models/database/tenancy.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import type { Client } from '../../support/api.js';
import { pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { FORUMS, PEOPLE } from './visibilityAccess.support.js';
import type { Stage } from './visibilityStage.support.js';
import type { Model, Text } from './visibilityTexts.support.js';
import { expectListeners } from './visibilityTopics.support.js';

interface Shown {
  id: string;
  body: string | null;
  status: string;
  attachments: { url: string | null }[];
}
interface News {
  notification_type: string;
  subject: { type: string; id: string };
  target_url: string;
  is_read: boolean;
}

/** Every address that shows something of a forum. `thread` is the first post of the forum. */
const WAYS = {
  detail: { path: (forum: string) => pathOf(forum), joins: true, isOfThread: false },
  feed: { path: (forum: string) => pathOf(forum, 'posts'), joins: true, isOfThread: false },
  post: { path: (_: string, thread: string) => thread, joins: true, isOfThread: true },
  comments: { path: (_: string, thread: string) => `${thread}comments/`, joins: true, isOfThread: true },
  subscription: { path: (_: string, thread: string) => `${thread}subscription/`, joins: false, isOfThread: true },
  members: { path: (forum: string) => pathOf(forum, 'members'), joins: false, isOfThread: false },
  search: { path: (forum: string) => `/api/forums/search/?q=keys&forum=${forum}`, joins: false, isOfThread: false },
  people: { path: (forum: string) => pathOf(forum, 'mention-search'), joins: false, isOfThread: false },
};
export type Way = keyof typeof WAYS;
export const EVERY_WAY = Object.keys(WAYS) as Way[];

export class Ways {
  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {}

  /** Reads a forum, compares the answer, and makes a person a member in the model who reads it for the first time. */
  async read(person: number, forum: number, way: Way): Promise<void> {
    const { model, stage } = this;
    const [thread] = model.postsOf(forum) as [Text];
    const { path, joins, isOfThread } = WAYS[way];
    const client = await stage.client(person);
    const { status, body } = await client.get(path(stage.forums[forum] as string, stage.pathOf(thread)));
    const isSeen = isOfThread ? model.sees(person, thread) : model.roleOf(person, forum) !== null;
    expect([way, status]).toEqual([way, model.hasAccess(person) ? (isSeen ? 200 : 404) : 401]);
    if (!isSeen) return;
    if (joins) model.join(person, forum);
    if (way === 'detail') this.expectDetail(person, forum, body);
    if (way === 'feed') this.expectFeed(person, forum, body.results);
    if (way === 'members') this.expectPeople(body.results, (one) => model.isMember(one, forum));
    if (way === 'people') this.expectPeople(body, (one) => model.roleOf(one, forum) !== null);
  }

  private expectDetail(person: number, forum: number, body: object): void {
    const { model } = this;
    const unread_count = model.postsOf(forum).filter((post) => model.isUnread(person, post)).length;
    expect(body).toMatchObject({ my_role: model.roleOf(person, forum), unread_count });
  }

  private expectFeed(person: number, forum: number, threads: { id: string }[]): void {
    const { model, stage } = this;
    const posts = model.postsOf(forum).filter((post) => model.sees(person, post));
    const expected = posts.map((post) => ({
      id: stage.idOf(post),
      status: post.status,
      title: post.deletion === null ? 'Keys' : null,
      comment_count: model.commentCount(post),
      is_unread: model.isUnread(person, post),
    }));
    expect(threads.toSorted(byId)).toMatchObject(expected.toSorted(byId));
  }

  private expectPeople(found: { user: string }[], isShown: (person: number) => boolean): void {
    const users = found.map(({ user }) => user);
    expect(PEOPLE.filter((one) => users.includes(this.stage.people[one] as string))).toEqual(PEOPLE.filter(isShown));
  }

  /** Compares everything. Mail is claimed, so this is the last step. */
  async expectAll(): Promise<void> {
    const cases = await this.stage.casesOf(this.model);
    for (const forum of FORUMS) await expectListeners(this.stage, this.model, forum);
    for (const person of PEOPLE) {
      const client = await this.stage.client(person);
      await this.expectForums(person, client);
      for (const forum of FORUMS) await this.expectForum(person, client, forum);
      if (!this.model.hasAccess(person)) continue;
      await this.expectSearch(person, client);
      await this.expectCases(person, client);
      await this.expectNotifications(person, client, cases);
    }
    await this.expectMail(cases);
  }

  private async expectForums(person: number, client: Client): Promise<void> {
    for (const discovers of [false, true]) {
      const { body } = await client.get(`/api/forums/?discover=${discovers}`);
      const shown = (body.results ?? []).map(({ id, access }: { id: string; access: string }) => [id, access]);
      const expected = this.stage.forums.map((forum, n) => [forum, this.model.accessOf(person, n, discovers)]);
      expect(shown).toEqual(this.model.hasAccess(person) ? expected.filter(([, access]) => access !== null) : []);
    }
  }

  private async expectForum(person: number, client: Client, forum: number): Promise<void> {
    for (const way of EVERY_WAY.toReversed()) await this.read(person, forum, way);
    if (this.model.roleOf(person, forum) === null) return;
    for (const post of this.model.postsOf(forum)) await this.expectThread(person, client, post);
  }

  private async expectThread(person: number, client: Client, post: Text): Promise<void> {
    const { model, stage } = this;
    const comments = model.commentsOn(post);
    for (const text of [post, ...comments]) {
      const { status, body } = await client.get(stage.pathOf(text));
      expect(status).toBe(model.sees(person, text) ? 200 : 404);
      if (status === 200) this.expectText(text, body, true);
    }
    const { results = [] } = (await client.get(`${stage.pathOf(post)}comments/`)).body;
    const seen = comments.filter((comment) => model.sees(person, comment));
    expect(results.map(({ id }: Shown) => id)).toEqual(seen.map(stage.idOf));
    for (const [at, comment] of seen.entries()) this.expectText(comment, results[at], false);
    if (!model.hasAccess(person)) return;
    const explained = await client.get(`/api/notifications/explain/?subject=forum_post:${stage.idOf(post)}`);
    expect(explained.status).toBe(model.explains(person, post) ? 200 : 404);
  }

  /** @param hasUrls whether the answer has the URLs of files */
  private expectText(text: Text, shown: Shown, hasUrls: boolean): void {
    const isShown = text.deletion === null;
    expect([shown.status, shown.body]).toEqual([text.status, isShown ? text.words.body : null]);
    const urls = shown.attachments.map(({ url }) => url !== null);
    expect(urls).toEqual(isShown && text.hasFile ? [hasUrls] : []);
  }

  private async expectSearch(person: number, client: Client): Promise<void> {
    const { model, stage } = this;
    const { body } = await client.get('/api/forums/search/?q=keys');
    const found = model.texts.filter((text) => text.isShown && model.roleOf(person, text.forum) !== null);
    const ids = body.map(({ post, comment }: { post: string; comment: string | null }) => comment ?? post);
    expect(sorted(ids)).toEqual(sorted(found.map(stage.idOf).slice(-25)));
  }

  private async expectCases(person: number, client: Client): Promise<void> {
    const { model, stage } = this;
    const { results } = (await client.get('/api/forums/review-queue/?page_size=50')).body;
    const queued = results.map(({ post, comment, can_decide }: { [key: string]: string | null | boolean }) => [
      comment ?? post,
      can_decide,
    ]);
    const texts = model.texts.filter((text) => model.queues(person, text));
    expect(sorted(queued)).toEqual(sorted(texts.map((text) => [stage.idOf(text), model.decides(person, text)])));
    const { approvals } = (await client.get('/api/notifications/alert-summary/')).body;
    expect(approvals).toBe(model.texts.filter((text) => model.decides(person, text)).length);
    for (const { id } of results) {
      const isOwn = results.find((one: { id: string }) => one.id === id).author.id === stage.people[person];
      expect((await client.get(pathOf('review-queue', id))).status).toBe(isOwn ? 403 : 200);
    }
  }

  private async expectNotifications(person: number, client: Client, cases: Map<string, Text>): Promise<void> {
    const { model, stage } = this;
    const listed = async (query: string): Promise<News[]> =>
      (await client.get(`/api/notifications/?page_size=50&${query}`)).body.results;
    const told = (await listed('category=forum')).map((one) => [one.notification_type, textOf(one), one.is_read]);
    const expected = model.listedFor(person).map(({ type, text, isRead }) => [type, stage.idOf(text), isRead]);
    expect(sorted(told)).toEqual(sorted(expected));
    for (const { notification_type: type, subject } of await listed('category=system&is_read=false')) {
      const text = this.textOfCase(subject, cases);
      if (text) expect([type, this.concerns(person, type, text)]).toEqual([type, true]);
    }
  }

  /** The text that a decision is about; undefined for other subjects. */
  private textOfCase = ({ id }: { id: string }, cases: Map<string, Text>): Text | undefined =>
    cases.get(id) ?? this.model.texts.find((text) => this.stage.idOf(text) === id);

  /** Whether the person may be notified of a decision about the text. */
  private concerns(person: number, type: string, text: Text): boolean {
    if (type === 'forum_case_opened' || type === 'forum_appeal_made')
      return text.author !== person && this.model.moderates(person, text.forum);
    return text.author === person && this.model.roleOf(person, text.forum) !== null;
  }

  /** Claims all mail. Requires that people get exactly what they may read now. */
  private async expectMail(cases: Map<string, Text>): Promise<void> {
    const { model, stage } = this;
    await asOwner('UPDATE notification_deliveries SET due_at = now() WHERE organization_id = $1 AND outcome IS NULL', [
      stage.organizationId,
    ]);
    const { claimed } = await inTenant(stage.organizationId, () => claimDeliveries('email', 1000));
    for (const person of PEOPLE) {
      const mails = claimed
        .filter(({ recipientId }) => recipientId === stage.people[person])
        .map((mail) => ({
          notification_type: mail.notificationType,
          target_url: mail.targetUrl,
          subject: { type: mail.subjectType, id: mail.subjectId },
        }));
      const ofTexts = mails.filter(({ subject }) => subject.type === 'forum_post');
      const expected = model.mailedTo(person).map(({ type, text }) => [type, stage.idOf(text)]);
      expect(sorted(ofTexts.map((mail) => [mail.notification_type, textOf(mail)]))).toEqual(sorted(expected));
      for (const { notification_type: type, subject } of mails) {
        const text = subject.type === 'forum_post' ? undefined : this.textOfCase(subject, cases);
        if (text) expect([type, this.concerns(person, type, text)]).toEqual([type, true]);
      }
    }
  }
}

/** The id of the text of a notification. */
const textOf = ({ subject, target_url }: Pick<News, 'subject' | 'target_url'>): string =>
  target_url.split('#comment-')[1] ?? subject.id;

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** What is compared without its order. */
const sorted = (list: unknown[]): string[] =>
  list.map((one) => JSON.stringify(one)).toSorted((a, b) => a.localeCompare(b));
