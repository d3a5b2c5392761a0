/** A model of posts and comments: what state they are in, who sees them, and who is notified of them. */
import { AccessModel, type AccessStep, FORUMS } from './visibilityAccess.support.js';

/** The words that a step writes. */
interface Words {
  /** Whether a moderation rule flags them. */
  isFlagged: boolean;
  /** The person whom they mention. */
  names: number | null;
}

/** A step about texts. `pick` chooses among the texts that there are. */
export type TextStep =
  | ({ kind: 'write'; person: number; pick: number; isComment: boolean } & Words)
  | ({ kind: 'edit'; person: number; pick: number } & Words)
  | { kind: 'delete' | 'flag' | 'appeal' | 'markRead'; person: number; pick: number }
  | { kind: 'decide'; person: number; pick: number; approves: boolean };
export type Step = AccessStep | TextStep;

interface Case {
  status: 'open' | 'approved' | 'removed' | 'appealed' | 'closed';
  decidedBy: number | null;
  isAppealed: boolean;
  /** People who flagged the text, and whether their flag counts. */
  flags: Map<number, boolean>;
}

export class Text {
  status: 'published' | 'pending_review' | 'hidden' | 'removed' = 'published';
  deletion: 'author' | 'moderator' | null = null;
  publishedAt: number | null = null;
  /** The case in which the text was approved as it is. */
  approvedIn: Case | null = null;
  readonly cases: Case[] = [];
  hasFile = false;

  /** @param post the post of a comment; null for a post */
  constructor(
    readonly forum: number,
    readonly author: number,
    public words: Words & { body: string },
    readonly post: Text | null,
  ) {}

  get thread(): Text {
    return this.post ?? this;
  }
  get latestCase(): Case | undefined {
    return this.cases.at(-1);
  }
  get openCase(): Case | undefined {
    return this.cases.find(({ status }) => status === 'open');
  }
  get isWaiting(): boolean {
    return this.latestCase?.status === 'open' || this.latestCase?.status === 'appealed';
  }
  /** Whether readers of the forum see the text. */
  get isShown(): boolean {
    return this.status === 'published' && this.deletion === null && this.thread.status === 'published';
  }
}

/** The notification of a person about a text. */
interface Told {
  person: number;
  text: Text;
  type: 'forum_mention' | 'forum_reply' | 'forum_new_post';
  isRead: boolean;
  isWithdrawn: boolean;
}

export class Model extends AccessModel {
  readonly texts: Text[] = [];
  private told: Told[] = [];
  /** Up to when people have read threads. */
  private readonly reads = new Map<Text, Map<number, number>>();
  /** People who hear of replies in a thread. */
  private readonly followers = new Map<Text, Set<number>>();

  /** @param hideAfter number of flags that hide a text */
  constructor(private readonly hideAfter: number) {
    super();
    for (const forum of FORUMS) {
      const post = this.add(new Text(forum, forum, this.wordsOf({ isFlagged: false, names: null }), null));
      this.add(new Text(forum, (forum + 1) % 3, this.wordsOf({ isFlagged: false, names: null }), post));
    }
    for (const text of this.texts) Object.assign(text, { publishedAt: 0, hasFile: true });
  }

  private add(text: Text): Text {
    this.texts.push(text);
    return text;
  }

  /** The words of the next text or edit; each are different. */
  wordsOf = ({ isFlagged, names }: Words): Text['words'] => {
    const mention = names === null ? '' : ` @${HANDLES[names]}`;
    return {
      isFlagged,
      names,
      body: `Keys ${this.texts.length} ${this.clock}${isFlagged ? ' spam' : ''}${mention}`,
    };
  };

  postsOf = (forum: number): Text[] => this.texts.filter((text) => text.post === null && text.forum === forum);
  commentsOn = (post: Text): Text[] => this.texts.filter((text) => text.post === post);

  /** The text that a step is about: where a comment is written, or what is changed; null if there is none. */
  targetOf(step: TextStep): Text | null {
    const posts = this.texts.filter(({ post }) => post === null);
    const likely = {
      write: posts,
      markRead: posts,
      decide: this.texts.filter(({ isWaiting }) => isWaiting),
      appeal: this.texts.filter(({ status }) => status === 'removed'),
    };
    const candidates = step.kind in likely ? likely[step.kind as 'write'] : this.texts;
    const all = candidates.length > 0 ? candidates : this.texts;
    const target = all[step.pick % all.length] as Text;
    return step.kind === 'decide' && target.latestCase === undefined ? null : target;
  }

  // Who sees what.

  private seesComments = (person: number, post: Text) =>
    post.status === 'published' ||
    (post.status !== 'removed' && post.author === person) ||
    this.moderates(person, post.forum);

  /** Whether the person sees the text, or the placeholder that is left of it. */
  sees(person: number, { status, author, forum, post }: Text): boolean {
    if (this.roleOf(person, forum) === null) return false;
    if (post && !this.seesComments(person, post)) return false;
    return status === 'published' || status === 'removed' || author === person || this.moderates(person, forum);
  }

  decides(person: number, { author, forum, latestCase }: Text): boolean {
    if (author === person) return false;
    if (latestCase?.status === 'open') return this.moderates(person, forum);
    return latestCase?.status === 'appealed' && this.admins.has(person) && latestCase.decidedBy !== person;
  }

  /** Whether the list of cases shows the text to the person. */
  queues = (person: number, { forum, latestCase }: Text): boolean =>
    this.moderates(person, forum) &&
    (latestCase?.status === 'open' || (latestCase?.status === 'appealed' && this.admins.has(person)));

  commentCount = (post: Text) =>
    this.commentsOn(post).filter(({ status, deletion }) => status === 'published' && deletion === null).length;

  private lastActivity(post: Text): number {
    const published = this.commentsOn(post).filter(({ status }) => status === 'published');
    return Math.max(...[post, ...published].map(({ publishedAt }) => publishedAt ?? 0));
  }

  isUnread(person: number, post: Text): boolean {
    if (!post.isShown || !this.isMember(person, post.forum)) return false;
    const since = this.rowOf(person, post.forum)?.since ?? 0;
    return this.lastActivity(post) > (this.reads.get(post)?.get(person) ?? since);
  }

  /** Notifications in the list of the person. */
  listedFor = (person: number): Told[] => this.told.filter((one) => one.person === person && !one.isWithdrawn);
  /** Notifications that the person gets by mail, if none was sent yet. */
  mailedTo = (person: number): Told[] =>
    this.listedFor(person).filter(({ isRead, type, text }) => !isRead && this.mayHear(person, text, type));
  /** Whether notifications of the thread are explained to the person. */
  explains = (person: number, post: Text): boolean =>
    this.told.some((one) => one.person === person && one.text.thread === post) ||
    (post.isShown && this.roleOf(person, post.forum) !== null);

  // Steps that notify people, and steps that withdraw notifications.

  private mayHear(person: number, text: Text, type: Told['type']): boolean {
    const role = this.roleOf(person, text.forum);
    return text.isShown && role !== null && (type === 'forum_mention' || role !== 'reader');
  }

  private tell(text: Text, type: Told['type'], people: readonly number[]): void {
    for (const person of people)
      if (
        person !== text.author &&
        this.mayHear(person, text, type) &&
        !this.told.some((one) => one.person === person && one.text === text)
      )
        this.told.push({ person, text, type, isRead: false, isWithdrawn: false });
  }

  private tellMentioned = (text: Text, names: number | null) =>
    this.tell(text, 'forum_mention', names === null ? [] : [names]);

  private publish(text: Text): void {
    this.told = this.told.filter((one) => one.text !== text || one.isRead || !one.isWithdrawn);
    this.tellMentioned(text, text.words.names);
    // Only in the forum of a chapter do members hear of all replies.
    const members = [0, 1, 2].filter((person) => this.isMember(person, text.forum));
    if (text.post === null) return this.tell(text, 'forum_new_post', members);
    const followers = this.followers.get(text.post) ?? new Set();
    this.tell(text, 'forum_reply', [...followers, ...(text.forum === 2 ? members : [])]);
  }

  private withdraw(which: (told: Told) => boolean): void {
    for (const one of this.told) if (!one.isRead && which(one)) one.isWithdrawn = true;
  }
  private withdrawHidden = ({ thread }: Text) => this.withdraw(({ text }) => text.thread === thread && !text.isShown);

  protected finish(person: number, forum: number): void {
    for (const [post, people] of this.followers) if (post.forum === forum) people.delete(person);
    this.withdraw((one) => one.person === person && one.text.forum === forum);
  }
  protected hide(person: number): void {
    this.withdraw((one) => one.person === person && this.roleOf(person, one.text.forum) === null);
  }
  protected hideForum(forum: number): void {
    this.withdraw(({ person, text }) => text.forum === forum && this.roleOf(person, forum) === null);
  }

  private markRead(person: number, { thread }: Text): void {
    const marks = this.reads.get(thread) ?? new Map<number, number>();
    this.reads.set(thread, marks.set(person, Math.max(marks.get(person) ?? 0, this.lastActivity(thread))));
  }

  // Steps.

  /** Applies a step. @returns the status of the answer; null for a step that is no request of a person */
  apply(step: Step): number | null {
    if (!('pick' in step)) {
      this.changeAccess(step);
      return null;
    }
    const target = this.targetOf(step);
    return target && this.change(step, target);
  }

  private change(step: TextStep, target: Text): number {
    const { person } = step;
    const forum = step.kind === 'write' && !step.isComment ? step.pick % 3 : target.forum;
    const role = this.roleOf(person, forum);
    if (!this.hasAccess(person)) return 401;
    if (role === null) return 404;
    if (step.kind === 'decide') return this.decide(step, target);
    const joins = step.kind !== 'flag' && this.joins(person, forum);
    const needsMember = step.kind !== 'appeal' && step.kind !== 'markRead';
    if (needsMember && role === 'reader' && !joins) return 403;
    const isNewPost = step.kind === 'write' && !step.isComment;
    if (!isNewPost && !this.sees(person, target)) return 404;
    switch (step.kind) {
      case 'write':
        return this.write(step, forum, step.isComment ? target : null);
      case 'edit':
        return this.edit(step, target);
      case 'delete':
        return this.delete(person, target);
      case 'flag':
        return this.flag(person, target);
      case 'appeal':
        return this.appeal(person, target);
      default:
        return this.readThread(person, target);
    }
  }

  private readThread(person: number, post: Text): number {
    this.markRead(person, post);
    for (const one of this.listedFor(person)) if (one.text.thread === post) one.isRead = true;
    return 204;
  }

  private write(step: Extract<TextStep, { kind: 'write' }>, forum: number, post: Text | null): number {
    if (post && (post.deletion !== null || post.status !== 'published')) return 409;
    const { person } = step;
    this.join(person, forum);
    const text = this.add(new Text(forum, person, this.wordsOf(step), post));
    if (step.isFlagged) text.status = 'pending_review';
    else text.publishedAt = this.clock;
    this.markRead(person, text);
    this.followers.set(text.thread, (this.followers.get(text.thread) ?? new Set()).add(person));
    if (step.isFlagged) this.openCase(text);
    else this.publish(text);
    return 201;
  }

  private edit(step: Extract<TextStep, { kind: 'edit' }>, text: Text): number {
    const isOwn = text.author === step.person || this.moderates(step.person, text.forum);
    // A deleted post is refused before the right to change it is checked.
    if (text.deletion !== null && (isOwn || text.post === null)) return 409;
    if (!isOwn) return 403;
    this.join(step.person, text.forum);
    const before = text.words.names;
    text.words = this.wordsOf(step);
    text.approvedIn = null;
    if (text.status === 'published' && step.isFlagged) {
      text.status = 'pending_review';
      this.withdrawHidden(text);
    }
    if (text.status === 'published' && step.names !== before) this.tellMentioned(text, step.names);
    if (step.isFlagged) this.openCase(text);
    return 200;
  }

  private delete(person: number, text: Text): number {
    if (text.author !== person && !this.moderates(person, text.forum)) return 403;
    this.join(person, text.forum);
    if (text.deletion !== null) return 204;
    if (text.author !== person) {
      this.remove(text, person);
      return 204;
    }
    text.deletion = 'author';
    text.hasFile = false;
    this.withdrawHidden(text);
    if (text.openCase) text.openCase.status = 'closed';
    return 204;
  }

  private openCase(text: Text): Case {
    if (!text.openCase) text.cases.push({ status: 'open', decidedBy: null, isAppealed: false, flags: new Map() });
    return text.openCase as Case;
  }

  private flag(person: number, text: Text): number {
    if (text.deletion !== null) return 409;
    if (text.author === person) return 400;
    if (text.openCase?.flags.has(person) || text.approvedIn?.flags.has(person)) return 200;
    const { flags } = this.openCase(text);
    // All memberships began before today, all offices today.
    flags.set(person, this.hasMembership(person));
    const counting = [...flags.values()].filter((counts) => counts).length;
    if (text.status === 'published' && text.approvedIn === null && counting >= this.hideAfter) {
      text.status = 'hidden';
      this.withdrawHidden(text);
    }
    return 201;
  }

  private decide({ person, approves }: Extract<TextStep, { kind: 'decide' }>, text: Text): number {
    const { latestCase } = text as { latestCase: Case };
    if (!this.moderates(person, text.forum) || text.author === person) return 403;
    if (!text.isWaiting) return 409;
    if (!this.decides(person, text)) return 403;
    const isAppeal = latestCase.status === 'appealed';
    if (!approves && isAppeal) latestCase.status = 'removed';
    else if (!approves) this.remove(text, person);
    else this.approve(text, latestCase);
    if (!isAppeal) latestCase.decidedBy = person;
    return 200;
  }

  private approve(text: Text, decided: Case): void {
    const { status: before, publishedAt } = text;
    decided.status = 'approved';
    Object.assign(text, { status: 'published', deletion: null, approvedIn: decided });
    text.publishedAt ??= this.clock;
    if (publishedAt === null && text.post === null) this.markRead(text.author, text);
    if (before === 'pending_review') this.publish(text);
  }

  private remove(text: Text, person: number): void {
    Object.assign(text, { status: 'removed', deletion: 'moderator', approvedIn: null });
    Object.assign(this.openCase(text), { status: 'removed', decidedBy: person });
    this.withdrawHidden(text);
  }

  private appeal(person: number, { author, status, latestCase }: Text): number {
    if (author !== person) return 403;
    if (status !== 'removed' || !latestCase || latestCase.isAppealed) return 409;
    Object.assign(latestCase, { status: 'appealed', isAppealed: true });
    return 204;
  }
}

/** User names of the people. */
export const HANDLES = ['ann', 'bob', 'cyd'];
