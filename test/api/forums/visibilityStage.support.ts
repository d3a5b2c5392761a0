/** Applies the steps of the model of forums to a real organization, over HTTP where a request can. */
import type { ApiWorld } from '../../support/apiWorld.js';
import { insertRow } from '../../support/foundation.js';
import { pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { aUser, aWorld, type Person, signIn } from '../../support/world.js';
import { type AccessStep, FORUMS, PEOPLE } from './visibilityAccess.support.js';
import { HANDLES, type Model, type Step, type Text, type TextStep } from './visibilityTexts.support.js';

/** A row of a text. */
interface Ids {
  id: string;
  path: string;
}

export class Stage {
  readonly people: string[] = [];
  readonly forums: string[] = [];
  private readonly regions: string[] = [];
  private readonly chapters: string[] = [];
  private readonly ids = new Map<Text, Ids>();

  private constructor(
    private readonly api: ApiWorld,
    readonly organizationId: string,
    private readonly admin: Person,
  ) {}

  /** Inserts the organization with which the model begins. */
  static async create(api: ApiWorld, model: Model, hideAfter: number): Promise<Stage> {
    const { organizationId, admin } = await aWorld({ members: 1 });
    const stage = new Stage(api, organizationId, admin);
    await asOwner('INSERT INTO forum_settings (organization_id, hide_after_flags, rules_version) VALUES ($1, $2, 1)', [
      organizationId,
      hideAfter,
    ]);
    await stage.insert('moderation_rules', { kind: 'keyword', pattern: 'spam', action: 'flag' });
    await stage.insertPlaces();
    for (const person of PEOPLE) await stage.insertPerson(person);
    for (const text of model.texts) await stage.insertText(text);
    return stage;
  }

  private insert = (table: string, row: Record<string, unknown>): Promise<string> =>
    insertRow(table, { organization_id: this.organizationId, ...row });

  private async insertPlaces(): Promise<void> {
    for (const name of ['One', 'Two']) this.regions.push(await this.insert('regions', { name }));
    for (const region of [0, 0, 1])
      this.chapters.push(
        await this.insert('chapters', { name: `Chapter ${this.chapters.length}`, region_id: this.regions[region] }),
      );
    for (const place of [{}, { region_id: this.regions[0] }, { chapter_id: this.chapters[0] }])
      this.forums.push(await this.insert('forums', { name: `Forum ${this.forums.length}`, ...place }));
  }

  private async insertPerson(person: number): Promise<void> {
    const user_id = await aUser();
    this.people.push(user_id);
    await this.insert('member_handles', { user_id, handle: HANDLES[person] });
    for (const chapter_id of this.chapters)
      await this.insert('memberships', { user_id, chapter_id, status: 'inactive', joined_date: '2020-01-01' });
    for (const region_id of this.regions)
      await this.insert('regional_admins', { user_id, region_id, role: 'advisor', is_active: false });
    await this.insert('organization_admins', { user_id, is_active: person === 2 });
  }

  /** Inserts a text with a file. */
  private async insertText(text: Text): Promise<void> {
    const [forum_id, author_id] = [this.forums[text.forum], this.people[text.author]];
    const row = { forum_id, author_id, body: text.words.body, body_html: '<p>Keys</p>', request_hash: 'x' };
    const id = text.post
      ? await this.insert('forum_comments', { ...row, post_id: this.idOf(text.post) })
      : await this.insert('forum_posts', { ...row, title: 'Keys' });
    this.remember(text, id);
    if (text.post)
      await this.update('forum_posts SET comment_count = 1, last_activity_at = clock_timestamp() WHERE id = $1', [
        this.idOf(text.post),
      ]);
    const file_id = await this.insert('stored_files', {
      purpose: 'forum_document',
      status: 'kept',
      name: 'keys.txt',
      media_type: 'text/plain',
      size_bytes: 1,
      sha256: '0'.repeat(64),
      kept_at: new Date(),
      shown_at: new Date(),
      uploaded_by: author_id,
    });
    await this.insert('forum_attachments', {
      forum_id,
      uploaded_by: author_id,
      kind: 'document',
      file_name: 'keys.txt',
      size_bytes: 1,
      file_id,
      [text.post ? 'comment_id' : 'post_id']: id,
    });
  }

  private remember(text: Text, id: string): void {
    const posts = pathOf(this.forums[text.forum] as string, 'posts');
    const path = text.post ? `${this.pathOf(text.post)}comments/${id}/` : `${posts}${id}/`;
    this.ids.set(text, { id, path });
  }
  idOf = (text: Text): string => (this.ids.get(text) as Ids).id;
  pathOf = (text: Text): string => (this.ids.get(text) as Ids).path;

  async client(person: number) {
    return this.api.as({ token: await signIn(this.people[person] as string, this.organizationId) });
  }

  /** The case of each text, by its id. */
  async casesOf(model: Model): Promise<Map<string, Text>> {
    const cases = await asOwner<{ id: string; text_id: string }>(
      'SELECT id, text_id FROM forum_cases WHERE organization_id = $1',
      [this.organizationId],
    );
    const texts = new Map(model.texts.map((text) => [this.idOf(text), text]));
    return new Map(cases.map(({ id, text_id }) => [id, texts.get(text_id) as Text]));
  }

  /** Applies a step to an organization in the state of the model, and then to the model. */
  async apply(model: Model, step: Step): Promise<void> {
    const target = 'pick' in step ? model.targetOf(step) : null;
    const words = 'names' in step ? model.wordsOf(step) : null;
    if (!('pick' in step)) await this.changeAccess(model, step);
    const answer = 'pick' in step && target ? await this.request(step, target, words?.body) : null;
    const number = model.texts.length;
    expect([step.kind, answer?.status ?? null]).toEqual([step.kind, model.apply(step)]);
    const written = model.texts[number];
    if (written) this.remember(written, answer?.body.id);
  }

  private async request(step: TextStep, target: Text, body: string | undefined) {
    const client = await this.client(step.person);
    const path = this.pathOf(target);
    const reason = 'Off topic.';
    switch (step.kind) {
      case 'write': {
        const posts = pathOf(this.forums[step.pick % 3] as string, 'posts');
        return step.isComment ? client.post(`${path}comments/`, { body }) : client.post(posts, { title: 'Keys', body });
      }
      case 'edit':
        return client.patch(path, { body, reason });
      case 'delete':
        return client.send('DELETE', path, { reason });
      case 'flag':
        return client.post(`${path}flag/`);
      case 'appeal':
        return client.post(`${path}appeal/`, { text: 'It is on topic.' });
      case 'markRead':
        return client.post(`${path}read/`);
      case 'decide':
        return client.post(...(await this.decision(target, step.approves)));
    }
    throw new Error('There is no such step.');
  }

  /** The address and the body of a decision about the latest case of a text. */
  private async decision(target: Text, approves: boolean): Promise<[string, object]> {
    const [known] = await asOwner<{ id: string; version: number }>(
      'SELECT id, version FROM forum_cases WHERE text_id = $1 ORDER BY id DESC LIMIT 1',
      [this.idOf(target)],
    );
    if (!known) throw new Error('The text has no case.');
    const { id, version } = known;
    return [
      pathOf('review-queue', id, 'decide'),
      { decision: approves ? 'approve' : 'remove', reason: 'Off topic.', version },
    ];
  }

  private async changeAccess(model: Model, change: AccessStep): Promise<void> {
    const { people, regions, chapters, forums } = this;
    switch (change.kind) {
      case 'membership':
        return this.update('memberships SET status = $3 WHERE user_id = $1 AND chapter_id = $2', [
          people[change.person],
          chapters[change.chapter],
          change.isActive ? 'undergrad' : 'inactive',
        ]);
      case 'transfer':
        return model.hasTransfer(change) ? this.transfer(change) : undefined;
      case 'regional':
        return this.update('regional_admins SET is_active = $3 WHERE user_id = $1 AND region_id = $2', [
          people[change.person],
          regions[change.region],
          change.isActive,
        ]);
      case 'admin':
        return this.update('organization_admins SET is_active = $2 WHERE user_id = $1', [
          people[change.person],
          change.isActive,
        ]);
      case 'move':
        return this.update('chapters SET region_id = $2 WHERE id = $1', [
          chapters[change.chapter],
          regions[change.region],
        ]);
      case 'visibility': {
        const path = pathOf(forums[change.forum] as string);
        const edit = { visibility: change.to };
        const { preview_hash } = (await this.api.as(this.admin).patch(path, { ...edit, dry_run: true })).body;
        expect((await this.api.as(this.admin).patch(path, { ...edit, preview_hash })).status).toBe(200);
        return;
      }
      case 'row':
        await asOwner(
          `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, by_invitation, invitation_expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $5 = 'invited' THEN now() + interval '1 day' END)
           ON CONFLICT ON CONSTRAINT forum_memberships_person DO UPDATE SET role = excluded.role, status = excluded.status,
             status_since = now(), by_invitation = excluded.by_invitation, invitation_expires_at = excluded.invitation_expires_at`,
          [
            this.organizationId,
            forums[change.forum],
            people[change.person],
            change.role,
            change.status,
            change.byInvitation,
          ],
        );
    }
  }

  private async update(text: string, values: unknown[]): Promise<void> {
    await asOwner(`UPDATE ${text}`, values);
  }

  /** Transfers a member as an admin does. */
  private async transfer(change: Extract<AccessStep, { kind: 'transfer' }>): Promise<void> {
    const [membership] = await asOwner<{ id: string }>(
      'SELECT id FROM memberships WHERE user_id = $1 AND chapter_id = $2',
      [this.people[change.person], this.chapters[change.from]],
    );
    const admin = this.api.as(this.admin);
    const path = `/api/memberships/${membership?.id}/transfer/`;
    const to_chapter = this.chapters[change.to];
    const { preview_hash } = (await admin.post(path, { to_chapter, dry_run: true })).body;
    expect((await admin.post(path, { to_chapter, preview_hash })).status).toBe(201);
    // Flags of people count only if they joined before today.
    await this.update(`memberships SET joined_date = '2020-01-01' WHERE user_id = $1`, [this.people[change.person]]);
  }

  /** Requires that roles, numbers of members and subscriptions agree with the model. */
  async expectRoles(model: Model): Promise<void> {
    const roles = await asOwner<{ role: string | null }>(
      `SELECT app.forum_role($1, p.id, f.id) AS role
         FROM unnest($2::uuid[]) WITH ORDINALITY p (id, n), unnest($3::uuid[]) WITH ORDINALITY f (id, n) ORDER BY p.n, f.n`,
      [this.organizationId, this.people, this.forums],
    );
    expect(roles.map(({ role }) => role)).toEqual(
      PEOPLE.flatMap((person) => FORUMS.map((forum) => model.roleOf(person, forum))),
    );
    const counts = await asOwner<{ wrong: number }>(
      `SELECT count(*)::int AS wrong FROM forums f
         JOIN LATERAL (SELECT count(m) AS members, count(s) AS subscribed, count(*) AS all_of_both
           FROM (SELECT * FROM forum_memberships WHERE forum_id = f.id AND status = 'active') m
           FULL JOIN (SELECT * FROM forum_subscriptions WHERE forum_id = f.id AND post_id IS NULL) s USING (user_id)) n ON true
        WHERE f.organization_id = $1 AND (f.member_count, n.subscribed, n.all_of_both) <> (n.members, n.members, n.members)`,
      [this.organizationId],
    );
    expect(counts).toEqual([{ wrong: 0 }]);
  }
}
