/** Carries out steps of several actors at once, and finds the order in which the model would have come to the same. */
import '../../../models/areas.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal } from '../../../models/errors.js';
import { addPerson } from '../../../models/organizations/addMember.js';
import { lockMembership } from '../../../models/organizations/changeMembership.js';
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { changeOrSchedule } from '../../../models/organizations/lifecycle/scheduleChange.js';
import { beginTerm } from '../../../models/organizations/officer-terms/beginTerm.js';
import { handOver } from '../../../models/organizations/officer-terms/handOver.js';
import { completeRollover } from '../../../models/organizations/rollovers/endRollover.js';
import { moveNextMembers } from '../../../models/organizations/rollovers/moveNextMembers.js';
import { previewRollover } from '../../../models/organizations/rollovers/previewRollover.js';
import { completeRevert, returnNextMembers } from '../../../models/organizations/rollovers/returnNextMembers.js';
import { revertRollover } from '../../../models/organizations/rollovers/revertRollover.js';
import { startRollover } from '../../../models/organizations/rollovers/startRollover.js';
import { lockMove } from '../../../models/organizations/transfers/lockMove.js';
import { transferOrSchedule } from '../../../models/organizations/transfers/transferOrSchedule.js';
import type { MembershipRole, MembershipStatus } from '../../../models/organizations/vocabulary.js';
import { asOwner } from '../owner.js';
import { aUser, aWorld } from '../world.js';
import * as model from './memberModel.js';
import type { Hand, Member, Pair, State } from './memberModel.js';

/** Whom a step is about is chosen from those that there are. */
export type MemberStep =
  | { do: 'join'; chapter: number; status: string }
  | { do: 'change'; who: number; hand: Hand; status: string; day: number | null; reason: boolean }
  | { do: 'role'; who: number; role: string; day: number | null }
  | { do: 'transfer'; who: number; to: number; day: number | null }
  | { do: 'arrive'; which: number }
  | { do: 'term'; who: number }
  | { do: 'handOver'; which: number; successor: number }
  | { do: 'rollOver' }
  | { do: 'revert' };

/** A step of which is known whom it means: what is done, and what the model does. */
interface Deed {
  name: string;
  act: () => Promise<unknown>;
  imagine: (state: State) => void;
  /** Whom it transfers: of two at once one may be turned away. */
  transfers?: number;
}

/** Of those who came last: who came long ago is left alone, so that the past of some is not too full for late changes. */
const LATELY = 12;
const JOINED = -60;

export class MemberWalker {
  private readonly ids = new Map<Pair, string>();
  private readonly people: string[] = [];
  private state: State = { members: {}, rollover: null };
  private rolloverId: string | null = null;

  private constructor(
    readonly organizationId: string,
    private readonly chapters: string[],
    private readonly actor: string,
    private readonly today: string,
  ) {}

  static async begin(): Promise<MemberWalker> {
    const { organizationId, chapterId, otherChapterId, admin } = await aWorld({ members: 1 });
    const [third] = await asOwner<{ id: string }>(
      `INSERT INTO chapters (organization_id, name) VALUES ($1, 'Gamma') RETURNING id`,
      [organizationId],
    );
    return new MemberWalker(
      organizationId,
      [chapterId, otherChapterId, third?.id as string],
      admin.userId,
      await day(0),
    );
  }

  /** Takes the steps at once. @throws Error where no order of them explains what came of it */
  async take(steps: MemberStep[]): Promise<void> {
    const deeds = [];
    // Two days of one membership do not come at once: no two of its changes are for the same day.
    const arriving = steps.findIndex((step) => step.do === 'arrive');
    for (const step of steps.filter((one, n) => one.do !== 'arrive' || n === arriving)) {
      const deed = await this.deedOf(step);
      if (deed) deeds.push(deed);
    }
    const outcomes = await Promise.all(deeds.map(({ act }) => outcomeOf(act)));
    const found = await this.read();
    const tried: string[] = [];
    for (const order of orders(deeds.map((_, n) => n))) {
      const state = this.imagine(deeds, outcomes, order, tried);
      if (state === null) continue;
      const expected = shown(state);
      if (expected === shown(found)) {
        this.state = state;
        return;
      }
      tried.push(`${order.join()}: ${difference(state, found)}`);
    }
    const said = deeds.map(({ name }, n) => `${name} -> ${outcomes[n] ?? 'done'}`).join('; ');
    throw new Error(`No order explains: ${said}\n${tried.join('\n')}`);
  }

  /** Somebody else asks at midnight. */
  async isToday(): Promise<boolean> {
    return (await day(0)) === this.today;
  }

  /** The state after the deeds in this order; null where one would have ended otherwise. */
  private imagine(deeds: Deed[], outcomes: (string | null)[], order: number[], tried: string[]): State | null {
    let state = structuredClone(this.state);
    for (const n of order) {
      const { imagine, transfers } = deeds[n] as Deed;
      const turnedAway =
        outcomes[n] === 'transfer_in_progress' && deeds.some((other, m) => m !== n && other.transfers === transfers);
      if (turnedAway) continue;
      const before = structuredClone(state);
      let code: string | null = null;
      try {
        imagine(state);
      } catch (error) {
        if (!(error instanceof model.Refused)) throw error;
        code = error.message;
        state = before;
      }
      if (code === outcomes[n]) continue;
      tried.push(`${order.join()}: ${n} would be ${code ?? 'done'}`);
      return null;
    }
    return state;
  }

  private async deedOf(step: MemberStep): Promise<Deed | null> {
    const name = JSON.stringify(step);
    const pairs = Object.keys(this.state.members) as Pair[];
    const recent = pairs.slice(-LATELY);
    const pick = <T>(from: T[], n: number): T | undefined => (from.length > 0 ? from[n % from.length] : undefined);
    const inTurn = (work: () => Promise<unknown>) => () =>
      inTenant(this.organizationId, work, { origin: { userId: this.actor, requestId: null, ipAddress: null } });
    const pair = 'who' in step ? pick(recent, step.who) : undefined;
    const id = pair && (this.ids.get(pair) as string);
    if ('who' in step && (!pair || !id)) return null;
    switch (step.do) {
      case 'join':
        return this.join(name, step, inTurn);
      case 'change':
      case 'role': {
        const edit =
          step.do === 'role' ? { role: step.role as MembershipRole } : { status: step.status as MembershipStatus };
        const hand = step.do === 'role' ? 'organization' : step.hand;
        const reason = step.do === 'change' && step.reason ? 'Because.' : null;
        const effectiveOn = step.day === null ? undefined : await day(step.day);
        const ahead = step.day !== null && step.day > 0 ? step.day : null;
        const made = { ...edit, hand, reason, ...(step.day !== null && { day: step.day }) };
        return {
          name: `${name} of ${pair}`,
          act: inTurn(async () =>
            changeOrSchedule(await lockMembership(id as string), edit, { hand, reason, effectiveOn }),
          ),
          imagine: (state) =>
            ahead === null
              ? model.change(state, pair as Pair, made)
              : model.schedule(state, pair as Pair, { ...made, day: ahead }),
        };
      }
      case 'transfer': {
        const [person, from] = (pair as Pair).split(':').map(Number) as [number, number];
        const to = step.to === from ? (from + 1) % this.chapters.length : step.to;
        const effectiveOn = step.day === null ? undefined : await day(step.day);
        return {
          name: `${name} of ${pair}`,
          act: inTurn(async () =>
            transferOrSchedule(await lockMove(id as string, this.chapters[to] as string), effectiveOn),
          ),
          imagine: (state) => model.transfer(state, pair as Pair, to, step.day ?? undefined),
          transfers: person,
        };
      }
      case 'arrive': {
        const planned = pairs.flatMap((of) =>
          (this.state.members[of] as Member).scheduled.map((one) => ({ of, day: one.day, to: one.to })),
        );
        const chosen = pick(planned, step.which);
        if (!chosen) return null;
        return {
          name: `${name} of ${chosen.of} on ${chosen.day}`,
          act: () => this.letArrive(this.ids.get(chosen.of) as string, chosen.day),
          imagine: (state) => model.arrive(state, chosen.of, chosen.day),
          ...(chosen.to !== null && { transfers: Number(chosen.of.split(':')[0]) }),
        };
      }
      case 'term': {
        const chapter = this.chapters[Number((pair as Pair).split(':')[1])] as string;
        const term = { membership_id: id as string, position: 'treasurer' as const };
        return {
          name: `${name} of ${pair}`,
          act: inTurn(() => beginTerm(chapter, term)),
          imagine: (state) => model.beginTerm(state, pair as Pair, 'treasurer'),
        };
      }
      case 'handOver': {
        const [held] = [
          pick(
            pairs.flatMap((of) =>
              (this.state.members[of] as Member).terms
                .filter((term) => term !== 'other')
                .map((position) => ({ of, position })),
            ),
            step.which,
          ),
        ];
        if (!held) return null;
        const chapter = held.of.split(':')[1];
        const successor = pick(
          pairs.filter((other) => other !== held.of && other.endsWith(`:${chapter}`)),
          step.successor,
        );
        const [term] = await asOwner<{ id: string }>(
          'SELECT id FROM officer_terms WHERE membership_id = $1 AND position = $2 AND ended_on IS NULL',
          [this.ids.get(held.of), held.position],
        );
        if (!successor || !term) return null;
        return {
          name: `${name}: ${held.position} of ${held.of} to ${successor}`,
          act: inTurn(() => handOver(term.id, { successor: this.ids.get(successor) as string })),
          imagine: (state) => model.handOver(state, held.of, held.position, successor),
        };
      }
      case 'rollOver':
        return { name, act: () => this.rollOver(inTurn), imagine: (state) => model.rollOver(state, isDue) };
      default:
        return this.rolloverId === null
          ? null
          : { name, act: () => this.revert(inTurn), imagine: (state) => model.revert(state) };
    }
  }

  private async join(
    name: string,
    { chapter, status }: { chapter: number; status: string },
    inTurn: (work: () => Promise<unknown>) => () => Promise<unknown>,
  ): Promise<Deed> {
    const user = await aUser();
    const person = this.people.push(user) - 1;
    const fields = { role: 'member' as const, status: status as MembershipStatus, joined_date: await day(JOINED) };
    const graduation = isDue(person) ? { graduation_year: 2020 } : {};
    return {
      name: `${name} as ${person}`,
      act: inTurn(() => addPerson(this.chapters[chapter] as string, user, { ...fields, ...graduation })),
      imagine: ({ members }) => {
        const periods = [{ status, role: 'member', from: JOINED, source: 'added' }];
        members[`${person}:${chapter}`] = { periods, terms: [], scheduled: [], audits: 1 };
      },
    };
  }

  private async letArrive(membershipId: string, ahead: number): Promise<void> {
    await asOwner(
      `UPDATE membership_scheduled_changes SET effective_on = $3::date
        WHERE membership_id = $1 AND effective_on = $2::date AND state = 'scheduled'`,
      [membershipId, await day(ahead), this.today],
    );
    const due = { organizationId: this.organizationId, day: this.today };
    for (;;) {
      const more = await applyNextChange(due).catch((error: unknown) => {
        // The process tries it again.
        if (error instanceof Refusal && error.code === 'transfer_in_progress') return true;
        throw error;
      });
      if (!more) return;
    }
  }

  private async rollOver(inTurn: (work: () => Promise<unknown>) => () => Promise<unknown>): Promise<void> {
    const request = {
      academicYear: 2026,
      throughSeason: 'SUMMER',
      toStatus: 'alumni',
      chapters: null,
      except: [],
    } as const;
    const { preview_hash } = (await inTurn(() => previewRollover({ ...request, except: [] }))()) as {
      preview_hash: string;
    };
    const { id } = (await inTurn(() => startRollover({ ...request, except: [] }, preview_hash))()) as { id: string };
    while (await inTurn(() => moveNextMembers(id))());
    await inTurn(() => completeRollover(id))();
    this.rolloverId = id;
  }

  private async revert(inTurn: (work: () => Promise<unknown>) => () => Promise<unknown>): Promise<void> {
    const id = this.rolloverId as string;
    this.rolloverId = null;
    await inTurn(() => revertRollover(id))();
    while (await inTurn(() => returnNextMembers(id))());
    await inTurn(() => completeRevert(id))();
  }

  /** What the database has, in the words of the model. */
  private async read(): Promise<State> {
    const found = await asOwner<Member & { id: string; user_id: string; chapter_id: string }>(
      `SELECT m.id, m.user_id, m.chapter_id,
              (SELECT json_agg(json_build_object('status', p.status, 'role', p.role, 'from', p.valid_from - $2::date,
                        'source', p.source) ORDER BY p.ordinal) FROM membership_periods p WHERE p.membership_id = m.id) AS periods,
              (SELECT coalesce(json_agg(t.position), '[]') FROM officer_terms t
                WHERE t.membership_id = m.id AND t.ended_on IS NULL) AS terms,
              (SELECT coalesce(json_agg(json_build_object('day', c.effective_on - $2::date, 'status', c.status, 'role', c.role,
                        'to', array_position($3::uuid[], c.to_chapter_id) - 1) ORDER BY c.effective_on), '[]')
                 FROM membership_scheduled_changes c WHERE c.membership_id = m.id AND c.state = 'scheduled') AS scheduled,
              (SELECT count(*)::int FROM audit_log l WHERE l.subject_type = 'membership' AND l.subject_id = m.id) AS audits
         FROM memberships m WHERE m.organization_id = $1 AND m.user_id = ANY ($4) ORDER BY m.id`,
      [this.organizationId, this.today, this.chapters, this.people],
    );
    const members: State['members'] = {};
    for (const { id, user_id, chapter_id, ...member } of found) {
      const pair: Pair = `${this.people.indexOf(user_id)}:${this.chapters.indexOf(chapter_id)}`;
      this.ids.set(pair, id);
      if (members[pair]) throw new Error(`${pair} is there twice.`);
      members[pair] = member;
    }
    return { members, rollover: null };
  }

  /** Who may come in, and who leads a chapter, as the model has it. */
  expected(): { access: string[]; leaders: string[] } {
    const members = Object.entries(this.state.members) as [Pair, Member][];
    const of = (pair: Pair) => this.people[Number(pair.split(':')[0])] as string;
    const access = members
      .filter(([, member]) => model.givesAccess(model.nowOf(member).status))
      .map(([pair]) => of(pair));
    const leaders = members
      .filter(([, member]) => model.leads(model.nowOf(member)))
      .map(([pair]) => this.ids.get(pair) as string);
    return { access: [...new Set(access)].sort(), leaders: leaders.sort() };
  }

  async actual(): Promise<{ access: string[]; leaders: string[] }> {
    const [found] = await asOwner<{ access: string[]; leaders: string[] }>(
      `SELECT (SELECT coalesce(array_agg(user_id::text), '{}') FROM affiliations
                WHERE organization_id = $1 AND kind = 'member' AND user_id = ANY ($2)) AS access,
              (SELECT coalesce(array_agg(id::text), '{}') FROM memberships
                WHERE organization_id = $1 AND user_id = ANY ($2) AND app.leads_chapter(role, status)) AS leaders`,
      [this.organizationId, this.people],
    );
    return { access: found?.access.sort() ?? [], leaders: found?.leaders.sort() ?? [] };
  }

  /** How many stand in each chapter at a day's end: neither inactive nor disaffiliated. */
  standing(at: number): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [pair, { periods }] of Object.entries(this.state.members)) {
      const then = periods.findLast(({ from }) => from <= at);
      if (!then || ['inactive', 'disaffiliated'].includes(then.status)) continue;
      const chapter = this.chapters[Number(pair.split(':')[1])] as string;
      counts[chapter] = (counts[chapter] ?? 0) + 1;
    }
    return counts;
  }

  /** Those of whom the walk knows nothing. */
  async strangers(): Promise<Record<string, number>> {
    const found = await asOwner<{ chapter_id: string; count: number }>(
      `SELECT chapter_id, count(*)::int AS count FROM memberships
        WHERE organization_id = $1 AND NOT user_id = ANY ($2) GROUP BY chapter_id`,
      [this.organizationId, this.people],
    );
    return Object.fromEntries(found.map(({ chapter_id, count }) => [chapter_id, count]));
  }
}

/** Every other one. */
const isDue = (person: number): boolean => person % 2 === 0;

const day = async (ahead: number): Promise<string> =>
  (
    await asOwner<{ day: string }>(`SELECT to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYY-MM-DD') AS day`, [
      ahead,
    ])
  )[0]?.day as string;

/** @returns the code with which it was refused; null: done */
async function outcomeOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    const code = error instanceof Refusal ? error.code : translateDatabaseError(error)?.code;
    if (code === undefined) throw error;
    return code;
  }
}

/** In the same words and order, whatever came first. */
const plain = ({ periods, terms, scheduled, audits }: Member) => ({
  periods: periods.map(({ status, role, from, source }) => [status, role, from, source].join(' ')),
  terms: terms.toSorted(),
  scheduled: scheduled.map(({ day: on, status, role, to }) => [on, status, role, to].join(' ')),
  audits,
});
const shown = ({ members }: State): string =>
  JSON.stringify(
    Object.entries(members)
      .map(([pair, member]) => [pair, plain(member)])
      .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
  );

function difference(expected: State, found: State): string {
  const pairs = new Set([...Object.keys(expected.members), ...Object.keys(found.members)]) as Set<Pair>;
  const [first] = [...pairs].filter((pair) => {
    const [one, other] = [expected.members[pair], found.members[pair]];
    return !one || !other || JSON.stringify(plain(one)) !== JSON.stringify(plain(other));
  });
  const words = (state: State) => {
    const member = first && state.members[first];
    return member ? JSON.stringify(plain(member)) : 'nobody';
  };
  return `${first}\n  expected ${words(expected)}\n  found    ${words(found)}`;
}

function* orders(of: number[]): Generator<number[]> {
  if (of.length <= 1) yield of;
  else for (const [at, one] of of.entries()) for (const rest of orders(of.toSpliced(at, 1))) yield [one, ...rest];
}
