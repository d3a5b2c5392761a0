/** A model of who has which role in a forum, in an organization with three people, chapters and forums, and two regions. */

export const PEOPLE = [0, 1, 2] as const;
export const FORUMS = [0, 1, 2] as const;
export const VISIBILITIES = ['open', 'approval_required', 'invite_only'] as const;

export interface Row {
  role: 'member' | 'moderator' | 'admin';
  status: 'active' | 'invited' | 'requested' | 'left' | 'removed';
  byInvitation: boolean;
}

/** A step that changes who has access. */
export type AccessStep =
  | { kind: 'membership'; person: number; chapter: number; isActive: boolean }
  | { kind: 'transfer'; person: number; from: number; to: number }
  | { kind: 'regional'; person: number; region: number; isActive: boolean }
  | { kind: 'admin'; person: number; isActive: boolean }
  | { kind: 'move'; chapter: number; region: number }
  | ({ kind: 'row'; person: number; forum: number } & Row)
  | { kind: 'visibility'; forum: number; to: (typeof VISIBILITIES)[number] };

/** Forum 0 belongs to the organization, forum 1 to region 0, forum 2 to chapter 0. Person 2 is always an admin of the organization. */
export abstract class AccessModel {
  /** Number of steps so far, which is the time of the model. */
  clock = 0;
  private readonly regionOf = [0, 0, 1];
  private readonly memberships = new Set<string>();
  private readonly regionals = new Set<string>();
  protected readonly admins = new Set<number>([2]);
  private readonly visibility: (typeof VISIBILITIES)[number][] = ['open', 'open', 'open'];
  /** Rows of people who are, were or may become members, by forum and person. Rows that ended are removed. */
  private readonly rows = new Map<string, Row & { since: number }>();

  /** A person is no longer an active member. */
  protected abstract finish(person: number, forum: number): void;
  /** A person may see less than before. */
  protected abstract hide(person: number): void;
  /** A forum is visible to fewer people than before. */
  protected abstract hideForum(forum: number): void;

  private chaptersOf = (forum: number) =>
    [0, 1, 2].filter((chapter) => [true, this.regionOf[chapter] === 0, chapter === 0][forum]);
  private regionsOf = (forum: number) => [[0, 1], [0], [this.regionOf[0] as number]][forum] as number[];
  private mayJoin = (person: number, forum: number) =>
    this.chaptersOf(forum).some((chapter) => this.memberships.has(`${person} ${chapter}`));
  private isInScope = (person: number, forum: number) =>
    this.mayJoin(person, forum) ||
    this.admins.has(person) ||
    this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
  private keeps = (person: number, forum: number, { byInvitation, status }: Row) =>
    this.isInScope(person, byInvitation || status === 'invited' ? 0 : forum);

  /** Whether the person has any access to the organization. */
  hasAccess = (person: number) => this.isInScope(person, 0);
  hasMembership = (person: number) => this.mayJoin(person, 0);
  rowOf = (person: number, forum: number) => this.rows.get(`${forum} ${person}`);
  isMember = (person: number, forum: number) => this.rowOf(person, forum)?.status === 'active';
  hasTransfer = ({ person, from, to }: Extract<AccessStep, { kind: 'transfer' }>) =>
    this.memberships.has(`${person} ${from}`) && !this.memberships.has(`${person} ${to}`);

  roleOf(person: number, forum: number): string | null {
    const row = this.rowOf(person, forum);
    const role = row?.status === 'active' && this.keeps(person, forum, row) ? row.role : null;
    const moderates = forum > 0 && this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
    if (role === 'admin' || this.admins.has(person)) return 'admin';
    if (role === 'moderator' || moderates) return 'moderator';
    return role ?? (this.visibility[forum] === 'open' && this.isInScope(person, forum) ? 'reader' : null);
  }

  moderates = (person: number, forum: number) => ['moderator', 'admin'].includes(this.roleOf(person, forum) ?? '');

  /** The `access` of a forum in the list, which discovers forums or not; null for a forum that the list leaves out. */
  accessOf(person: number, forum: number, discovers: boolean): string | null {
    const role = this.roleOf(person, forum);
    if (role !== null) return role === 'reader' ? 'open' : 'member';
    const { status } = this.rowOf(person, forum) ?? {};
    const mayRequest = this.visibility[forum] === 'approval_required' && this.mayJoin(person, forum);
    if (!discovers || !(mayRequest || status === 'invited')) return null;
    return status === 'invited' || status === 'requested' ? status : 'requestable';
  }

  /** Whether the first read, or the first text, makes the person a member. */
  joins = (person: number, forum: number) =>
    this.visibility[forum] === 'open' && this.mayJoin(person, forum) && this.rowOf(person, forum) === undefined;

  join(person: number, forum: number): void {
    if (this.joins(person, forum))
      this.setRow(person, forum, { role: 'member', status: 'active', byInvitation: false });
  }

  private setRow(person: number, forum: number, row: Row | null): void {
    const before = this.rowOf(person, forum);
    if (row === null) this.rows.delete(`${forum} ${person}`);
    else this.rows.set(`${forum} ${person}`, { ...row, since: this.clock });
    const [was, is] = [before?.status === 'active', row?.status === 'active'];
    if (was && !is) this.finish(person, forum);
    if (was && is && before?.role !== row?.role) this.hide(person);
  }

  /** Ends what a person may no longer keep, as the loss of a membership or an office does. */
  private end(person: number): void {
    for (const forum of FORUMS) {
      const row = this.rowOf(person, forum);
      const isOver = row?.status === 'left' || row?.status === 'removed';
      if (row && !isOver && !this.keeps(person, forum, row)) this.setRow(person, forum, null);
    }
    this.hide(person);
  }

  private toggle<T>(set: Set<T>, value: T, person: number, isActive: boolean): void {
    const isLost = set.has(value) && !isActive;
    if (isActive) set.add(value);
    else set.delete(value);
    if (isLost) this.end(person);
  }

  changeAccess(change: AccessStep): void {
    switch (change.kind) {
      case 'membership':
        return this.toggle(this.memberships, `${change.person} ${change.chapter}`, change.person, change.isActive);
      case 'transfer':
        if (!this.hasTransfer(change)) return;
        this.memberships.add(`${change.person} ${change.to}`);
        return this.toggle(this.memberships, `${change.person} ${change.from}`, change.person, false);
      case 'regional':
        return this.toggle(this.regionals, `${change.person} ${change.region}`, change.person, change.isActive);
      case 'admin':
        return this.toggle(this.admins, change.person, change.person, change.isActive);
      case 'row':
        return this.setRow(change.person, change.forum, change);
      case 'visibility': {
        const isNarrower =
          VISIBILITIES.indexOf(change.to) > VISIBILITIES.indexOf(this.visibility[change.forum] as 'open');
        this.visibility[change.forum] = change.to;
        if (isNarrower) this.hideForum(change.forum);
        return;
      }
      case 'move':
        if (this.regionOf[change.chapter] === change.region) return;
        this.regionOf[change.chapter] = change.region;
        // Everybody has a membership there, in some status.
        for (const person of PEOPLE) this.end(person);
    }
  }
}
