/** The expected effects of membership changes, briefly and without a database: the model of lifecycle.property.test.ts. */

export type Hand = 'officer' | 'region' | 'organization';
export type Pair = `${number}:${number}`;

export interface Period {
  status: string;
  role: string;
  /** Days from today. */
  from: number;
  source: string;
}

interface Scheduled {
  day: number;
  status: string | null;
  role: string | null;
  to: number | null;
  hand: Hand;
  reason: string | null;
}

export interface Member {
  periods: Period[];
  /** Current offices. */
  terms: string[];
  scheduled: Scheduled[];
  /** Entries of the audit log. */
  audits: number;
}

interface Line {
  pair: Pair;
  was: Period;
  terms: string[];
  periods: number;
}

/** Memberships, by person and chapter. */
export interface State {
  members: Record<Pair, Member>;
  /** Suspended chapters, by their number. */
  suspended: number[];
  rollover: Line[] | null;
}

export interface Change {
  status?: string;
  role?: string;
  day?: number;
  hand: Hand | null;
  reason?: string | null;
  source?: string;
}

/** A refusal, by its code. */
export class Refused extends Error {}
const refuse = (code: string): never => {
  throw new Refused(code);
};

const ACTIVE = ['undergrad', 'associate'];
const ALUMNI = ['alumni', 'active_alumni', 'lifetime_alumni'];
const STANDING = [...ACTIVE, 'active_alumni', 'lifetime_alumni'];
const OFFICES = ['officer', 'president'];
const CORRECTED = [...ACTIVE, ...ALUMNI, 'inactive'];
export const givesAccess = (status: string): boolean => !['pnm', 'inactive', 'disaffiliated'].includes(status);
export const leads = ({ status, role }: Period): boolean => OFFICES.includes(role) && STANDING.includes(status);
export const nowOf = (member: Member): Period => member.periods.at(-1) as Period;
const of = (state: State, pair: Pair): Member => state.members[pair] as Member;
const personOf = (pair: Pair) => Number(pair.split(':')[0]);
const chapterOf = (pair: Pair) => Number(pair.split(':')[1]);

function requireActive({ suspended }: State, chapter: number): void {
  if (suspended.includes(chapter)) refuse('chapter_not_active');
}

/** A repetition changes nothing. */
export function suspend(state: State, chapter: number): void {
  if (!state.suspended.includes(chapter)) state.suspended.push(chapter);
}

export function reactivate(state: State, chapter: number): void {
  state.suspended = state.suspended.filter((one) => one !== chapter);
}

export function join(state: State, pair: Pair, status: string, from: number): void {
  requireActive(state, chapterOf(pair));
  const periods = [{ status, role: 'member', from, source: 'added' }];
  state.members[pair] = { periods, terms: [], scheduled: [], audits: 1 };
}

/** The table of the specification, row by row: authority, whether a reason is required, and whether it is a correction. */
function transitionSource(member: Member, to: string, hand: Hand, reason: string | null): string {
  const from = nowOf(member).status;
  const other = member.periods.findLastIndex(({ status }) => status !== from);
  const before = member.periods[other]?.status;
  const isTransferred = from === 'inactive' && member.periods[other + 1]?.source === 'transfer';
  const table: [boolean, Hand, 'reason' | '', 'correction' | 'change'][] = [
    [from === 'pnm' && [...ACTIVE, 'inactive'].includes(to), 'organization', '', 'change'],
    [ACTIVE.includes(from) && [...ACTIVE, 'alumni', 'inactive'].includes(to), 'officer', '', 'change'],
    [[...ACTIVE, ...ALUMNI].includes(from) && ALUMNI.includes(to), 'region', '', 'change'],
    [from === 'inactive' && to === (before ?? 'undergrad'), 'officer', '', 'change'],
    [to === 'disaffiliated', 'organization', 'reason', 'change'],
    [from === 'disaffiliated' && to === before, 'organization', 'reason', 'change'],
    [CORRECTED.includes(from) && CORRECTED.includes(to), 'region', 'reason', 'correction'],
    [from === 'disaffiliated' && CORRECTED.includes(to), 'organization', 'reason', 'correction'],
  ];
  const possible = table.filter(([fits]) => fits);
  if (possible.length === 0) refuse('transition_not_allowed');
  const rank = (one: Hand) => ['officer', 'region', 'organization'].indexOf(one);
  const own = possible.filter(([, by]) => rank(hand) >= rank(isTransferred ? 'organization' : by));
  const [first] = own;
  if (!first) return refuse('forbidden');
  const chosen = own.find(([, , needs]) => needs === '') ?? first;
  if (chosen[2] === 'reason' && reason === null) refuse('validation_error');
  return chosen[3];
}

/** Officers change neither one another nor advisors, and appoint no officers. */
function requireTrust({ role }: { role: string }, to: string | null | undefined, hand: Hand | null): void {
  if (hand === 'officer' && [role, to ?? role].some((one) => [...OFFICES, 'advisor'].includes(one)))
    refuse('forbidden');
}

const presides = (state: State, chapter: number): boolean =>
  Object.entries(state.members).some(
    ([pair, { terms }]) => chapterOf(pair as Pair) === chapter && terms.includes('president'),
  );

/** One UPDATE of a row, with its effects. @returns whether there is a new period */
function write(
  state: State,
  pair: Pair,
  to: { status?: string; role?: string },
  from: number,
  source: string,
): boolean {
  const member = of(state, pair);
  const was = nowOf(member);
  const status = to.status ?? was.status;
  let role = to.role ?? was.role;
  if (OFFICES.includes(role) && !STANDING.includes(status)) {
    if (role !== was.role) refuse('not_in_active_standing');
    role = status === 'alumni' ? 'alumni' : 'member';
  }
  if (status === was.status && role === was.role) return false;
  const isOut = ['inactive', 'disaffiliated'].includes(was.status);
  if (was.status === 'pnm' ? givesAccess(status) : status === 'pnm' && isOut) requireActive(state, chapterOf(pair));
  member.periods.push({ status, role, from, source });
  if (role === was.role) return true;
  if (!OFFICES.includes(role)) member.terms = [];
  if (role === 'officer') member.terms = member.terms.filter((position) => position !== 'president');
  if (role === 'officer' && member.terms.length === 0) member.terms.push('other');
  if (role === 'president' && !member.terms.includes('president')) {
    if (presides(state, chapterOf(pair))) refuse('office_taken');
    member.terms.push('president');
  }
  return true;
}

/** A manual change, today or in the past. */
export function change(state: State, pair: Pair, { status, role, day, hand, reason = null, source }: Change): void {
  const member = of(state, pair);
  const was = nowOf(member);
  const moves = status !== undefined && status !== was.status;
  if (!moves && (role === undefined || role === was.role)) return;
  requireTrust(was, role, hand);
  if (day !== undefined && day < was.from) refuse('later_change_exists');
  const path = moves && hand ? transitionSource(member, status, hand, reason) : 'change';
  const edit = { ...(status !== undefined && { status }), ...(role !== undefined && { role }) };
  if (write(state, pair, edit, day ?? Math.max(0, was.from), source ?? path)) member.audits += 1;
  // A scheduled change would bring a disaffiliated member back.
  if (moves && status === 'disaffiliated') member.scheduled = [];
}

export function schedule(state: State, pair: Pair, made: Change & { day: number; hand: Hand }): void {
  const member = of(state, pair);
  const { status = null, role = null, day, hand, reason = null } = made;
  const was = nowOf(member);
  const moves = status !== null && status !== was.status;
  if (moves || (role !== null && role !== was.role)) requireTrust(was, role, hand);
  if (moves) transitionSource(member, status, hand, reason);
  plan(member, { day, status, role, to: null, hand, reason });
}

function plan(member: Member, planned: Scheduled): void {
  if (member.scheduled.some(({ day }) => day === planned.day)) refuse('change_scheduled');
  member.scheduled.push(planned);
  member.scheduled.sort((one, other) => one.day - other.day);
}

/** A scheduled change that is withdrawn before its day. */
export function cancel(state: State, pair: Pair, day: number): void {
  const member = of(state, pair);
  if (!member.scheduled.some((planned) => planned.day === day)) refuse('change_ended');
  member.scheduled = member.scheduled.filter((planned) => planned.day !== day);
}

export function transfer(state: State, pair: Pair, to: number, day: number | undefined): void {
  const member = of(state, pair);
  const { status, role } = nowOf(member);
  if (['inactive', 'disaffiliated'].includes(status)) refuse('transition_not_allowed');
  const target: Pair = `${personOf(pair)}:${to}`;
  requireActive(state, to);
  const before = state.members[target];
  if (before && nowOf(before).status !== 'inactive') refuse('membership_exists');
  if (member.scheduled.some((planned) => planned.to !== null)) refuse('transfer_in_progress');
  if (day !== undefined && day > 0) {
    plan(member, { day, status: null, role: null, to, hand: 'organization', reason: null });
    return;
  }
  const manner = { hand: null, source: 'transfer', day: day ?? 0 };
  const there = role === 'alumni' ? role : 'member';
  member.scheduled = [];
  if (before) change(state, target, { status, role: there, ...manner });
  else
    state.members[target] = {
      periods: [{ status, role: there, from: manner.day, source: 'transfer' }],
      terms: [],
      scheduled: [],
      audits: 1,
    };
  change(state, pair, { status: 'inactive', ...manner });
  member.audits += 1;
}

/** The day of a scheduled change has come; a refused one changes nothing. */
export function arrive(state: State, pair: Pair, day: number): void {
  const planned = of(state, pair).scheduled.find((one) => one.day === day);
  if (!planned) return;
  of(state, pair).scheduled = of(state, pair).scheduled.filter((one) => one !== planned);
  const kept = structuredClone(state);
  try {
    if (planned.to !== null) transfer(state, pair, planned.to, 0);
    else {
      const { status, role, hand, reason } = planned;
      change(state, pair, {
        ...(status !== null && { status }),
        ...(role !== null && { role }),
        day: 0,
        hand,
        reason,
        source: 'scheduled',
      });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    Object.assign(state, kept);
  }
}

/** The role follows the terms. @returns whether it changed */
function follow(state: State, pair: Pair, source: string): boolean {
  const member = of(state, pair);
  const { role, status } = nowOf(member);
  const led = member.terms.includes('president') ? 'president' : member.terms.length > 0 ? 'officer' : null;
  if (led === null)
    return OFFICES.includes(role) && write(state, pair, { role: status === 'alumni' ? 'alumni' : 'member' }, 0, source);
  return write(state, pair, { role: led }, 0, source);
}

export function beginTerm(state: State, pair: Pair, position: string, source = 'office'): void {
  const member = of(state, pair);
  if (member.terms.includes(position)) refuse('duplicate');
  member.terms.push(position);
  if (follow(state, pair, source)) member.audits += 1;
}

export function endTerm(state: State, pair: Pair, position: string): void {
  const member = of(state, pair);
  if (!member.terms.includes(position)) refuse('term_ended');
  member.terms = member.terms.filter((one) => one !== position);
  if (follow(state, pair, 'office')) member.audits += 1;
}

export function handOver(state: State, pair: Pair, position: string, successor: Pair): void {
  endTerm(state, pair, position);
  beginTerm(state, successor, position);
}

/** Undergrads and associates among these people become alumni. */
export function rollOver(state: State, isDue: (person: number) => boolean): void {
  const due = (Object.keys(state.members) as Pair[]).filter(
    (pair) => isDue(personOf(pair)) && ACTIVE.includes(nowOf(of(state, pair)).status),
  );
  if (due.length === 0) refuse('nothing_to_roll_over');
  state.rollover = due.map((pair) => {
    const member = of(state, pair);
    const [was, terms] = [nowOf(member), member.terms];
    write(state, pair, { status: 'alumni' }, 0, 'rollover');
    member.audits += 1;
    return { pair, was, terms, periods: member.periods.length };
  });
}

export function revert(state: State): void {
  const lines = (state.rollover ?? []).filter(({ pair, periods }) => of(state, pair).periods.length === periods);
  state.rollover = null;
  for (const { pair, was } of lines) {
    const role = nowOf(of(state, pair)).role === was.role ? was.role : 'member';
    write(state, pair, { status: was.status, role }, 0, 'rollover_reverted');
    of(state, pair).audits += 1;
  }
  for (const { pair, terms } of lines) {
    const back = terms.filter((position) => position !== 'president' || !presides(state, chapterOf(pair)));
    of(state, pair).terms.push(...back);
    if (back.length > 0) follow(state, pair, 'rollover_reverted');
  }
}
