/** The meaning of a step in the current state: its operation, and the model's change. */
import { lockForEdit } from '../../../../models/database/model/change.js';
import { addPerson } from '../../../../models/organizations/addMember.js';
import { Chapter } from '../../../../models/organizations/Chapter.js';
import { changeChapter } from '../../../../models/organizations/changeChapter.js';
import { lockMembership } from '../../../../models/organizations/changeMembership.js';
import { cancelChange } from '../../../../models/organizations/lifecycle/cancelChanges.js';
import { changeOrSchedule } from '../../../../models/organizations/lifecycle/scheduleChange.js';
import { beginTerm } from '../../../../models/organizations/officer-terms/beginTerm.js';
import { changeTerm } from '../../../../models/organizations/officer-terms/changeTerm.js';
import { handOver } from '../../../../models/organizations/officer-terms/handOver.js';
import { lockMove } from '../../../../models/organizations/transfers/lockMove.js';
import { transferOrSchedule } from '../../../../models/organizations/transfers/transferOrSchedule.js';
import type { MembershipRole, MembershipStatus } from '../../../../models/organizations/vocabulary.js';
import { asOwner } from '../../owner.js';
import { letArrive, revert, rollOver } from './actions.js';
import * as model from './memberModel.js';
import type { Hand, Member, Pair, State } from './memberModel.js';
import { day, isDue, type Scene } from './scene.js';

/** The subject of a step is chosen among the existing people. */
export type MemberStep =
  | { do: 'join'; chapter: number; status: string }
  | { do: 'change'; who: number; hand: Hand; status: string; day: number | null; reason: boolean }
  | { do: 'role'; who: number; role: string; day: number | null }
  | { do: 'transfer'; who: number; to: number; day: number | null }
  | { do: 'arrive'; which: number }
  | { do: 'cancel'; which: number }
  | { do: 'endTerm'; which: number }
  | { do: 'suspend'; chapter: number }
  | { do: 'reactivate'; chapter: number }
  | { do: 'term'; who: number }
  | { do: 'handOver'; which: number; successor: number }
  | { do: 'rollOver' }
  | { do: 'revert' };

/** A step with its chosen people. */
export interface Deed {
  name: string;
  act: () => Promise<unknown>;
  imagine: (state: State) => void;
  /** The people of a transfer: one of two simultaneous transfers may be refused. */
  transfers?: number;
}

type Step<Do extends MemberStep['do']> = Extract<MemberStep, { do: Do }>;

/** Chosen among the newest: older memberships are left alone, so that their history keeps room for late changes. */
const LATELY = 12;
const JOINED = -60;

const pick = <T>(from: T[], n: number): T | undefined => (from.length > 0 ? from[n % from.length] : undefined);
const pairsOf = ({ members }: State): Pair[] => Object.keys(members) as Pair[];

/** @returns null where no person fits */
export async function deedOf(scene: Scene, state: State, step: MemberStep): Promise<Deed | null> {
  const name = JSON.stringify(step);
  if ('who' in step) {
    const pair = pick(pairsOf(state).slice(-LATELY), step.who);
    const deed = pair && scene.ids.has(pair) ? await deedAbout(scene, pair, step) : null;
    return deed && { ...deed, name: `${name} of ${pair}` };
  }
  switch (step.do) {
    case 'join':
      return joining(scene, name, step);
    case 'arrive':
      return arriving(scene, state, name, step);
    case 'cancel':
      return cancelling(scene, state, name, step);
    case 'suspend':
    case 'reactivate':
      return turning(scene, name, step);
    case 'endTerm':
      return endingTerm(scene, state, name, step);
    case 'handOver':
      return handingOver(scene, state, name, step);
    case 'rollOver':
      return { name, act: () => rollOver(scene), imagine: (then) => model.rollOver(then, isDue) };
    default:
      return scene.rolloverId === null ? null : { name, act: () => revert(scene), imagine: model.revert };
  }
}

type Unnamed = Omit<Deed, 'name'>;

/** For a step about a person. */
function deedAbout(scene: Scene, pair: Pair, step: Extract<MemberStep, { who: number }>): Promise<Unnamed> | Unnamed {
  if (step.do === 'transfer') return transferring(scene, pair, step);
  if (step.do !== 'term') return changing(scene, pair, step);
  const term = { membership_id: scene.idOf(pair), position: 'treasurer' as const };
  return {
    act: () => scene.inTurn(() => beginTerm(scene.chapterOf(pair), term)),
    imagine: (state) => model.beginTerm(state, pair, 'treasurer'),
  };
}

async function changing(scene: Scene, pair: Pair, step: Step<'change'> | Step<'role'>): Promise<Unnamed> {
  const edit = step.do === 'role' ? { role: step.role as MembershipRole } : { status: step.status as MembershipStatus };
  const hand = step.do === 'role' ? 'organization' : step.hand;
  const reason = step.do === 'change' && step.reason ? 'Because.' : null;
  const effectiveOn = step.day === null ? undefined : await day(step.day);
  const ahead = step.day !== null && step.day > 0 ? step.day : null;
  const made = { ...edit, hand, reason, ...(step.day !== null && { day: step.day }) };
  const id = scene.idOf(pair);
  return {
    act: () =>
      scene.inTurn(async () =>
        changeOrSchedule(await lockMembership(id), edit, { authority: hand, reason, effectiveOn }),
      ),
    imagine: (state) =>
      ahead === null ? model.change(state, pair, made) : model.schedule(state, pair, { ...made, day: ahead }),
  };
}

async function transferring(scene: Scene, pair: Pair, step: Step<'transfer'>): Promise<Unnamed> {
  const [person, from] = pair.split(':').map(Number) as [number, number];
  const to = step.to === from ? (from + 1) % scene.chapters.length : step.to;
  const effectiveOn = step.day === null ? undefined : await day(step.day);
  const id = scene.idOf(pair);
  return {
    act: () =>
      scene.inTurn(async () => transferOrSchedule(await lockMove(id, scene.chapters[to] as string), effectiveOn)),
    imagine: (state) => model.transfer(state, pair, to, step.day ?? undefined),
    transfers: person,
  };
}

async function joining(scene: Scene, name: string, { chapter, status }: Step<'join'>): Promise<Deed> {
  const person = await scene.somebody();
  const fields = { role: 'member' as const, status: status as MembershipStatus, joined_date: await day(JOINED) };
  const graduation = isDue(person) ? { graduation_year: 2020 } : {};
  const [where, who] = [scene.chapters[chapter] as string, scene.people[person] as string];
  return {
    name: `${name} as ${person}`,
    act: () => scene.inTurn(() => addPerson(where, who, { ...fields, ...graduation })),
    imagine: (then) => model.join(then, `${person}:${chapter}`, status, JOINED),
  };
}

const plannedOf = (state: State) =>
  pairsOf(state).flatMap((of) =>
    (state.members[of] as Member).scheduled.map((one) => ({ of, day: one.day, to: one.to })),
  );

function arriving(scene: Scene, state: State, name: string, { which }: Step<'arrive'>): Deed | null {
  const chosen = pick(plannedOf(state), which);
  if (!chosen) return null;
  return {
    name: `${name} of ${chosen.of} on ${chosen.day}`,
    act: () => letArrive(scene, scene.idOf(chosen.of), chosen.day),
    imagine: (then) => model.arrive(then, chosen.of, chosen.day),
    ...(chosen.to !== null && { transfers: Number(chosen.of.split(':')[0]) }),
  };
}

async function cancelling(scene: Scene, state: State, name: string, { which }: Step<'cancel'>): Promise<Deed | null> {
  const chosen = pick(plannedOf(state), which);
  if (!chosen) return null;
  const membershipId = scene.idOf(chosen.of);
  const [change] = await asOwner<{ id: string }>(
    `SELECT id FROM membership_scheduled_changes WHERE membership_id = $1 AND effective_on = $2::date AND state = 'scheduled'`,
    [membershipId, await day(chosen.day)],
  );
  return {
    name: `${name} of ${chosen.of} on ${chosen.day}`,
    act: () => scene.inTurn(() => cancelChange(membershipId, change?.id as string, 'organization')),
    imagine: (then) => model.cancel(then, chosen.of, chosen.day),
  };
}

function turning(scene: Scene, name: string, { do: turn, chapter }: Step<'suspend'> | Step<'reactivate'>): Deed {
  const status = turn === 'suspend' ? 'suspended' : 'active';
  return {
    name,
    act: () =>
      scene.inTurn(async () => {
        const locked = await lockForEdit(Chapter, scene.chapters[chapter] as string);
        if (locked.status !== status) await changeChapter(locked, { status }, 'Because.');
      }),
    imagine: (state) => (turn === 'suspend' ? model.suspend : model.reactivate)(state, chapter),
  };
}

const heldIn = (state: State) =>
  pairsOf(state).flatMap((of) =>
    (state.members[of] as Member).terms.filter((term) => term !== 'other').map((position) => ({ of, position })),
  );

async function runningTerm(scene: Scene, { of, position }: { of: Pair; position: string }): Promise<string | null> {
  const [term] = await asOwner<{ id: string }>(
    'SELECT id FROM officer_terms WHERE membership_id = $1 AND position = $2 AND ended_on IS NULL',
    [scene.idOf(of), position],
  );
  return term?.id ?? null;
}

async function endingTerm(scene: Scene, state: State, name: string, step: Step<'endTerm'>): Promise<Deed | null> {
  const held = pick(heldIn(state), step.which);
  const term = held && (await runningTerm(scene, held));
  if (!held || !term) return null;
  return {
    name: `${name}: ${held.position} of ${held.of}`,
    act: () => scene.inTurn(async () => changeTerm(scene.chapterOf(held.of), term, { ended_on: await day(0) })),
    imagine: (then) => model.endTerm(then, held.of, held.position),
  };
}

async function handingOver(scene: Scene, state: State, name: string, step: Step<'handOver'>): Promise<Deed | null> {
  const held = pick(heldIn(state), step.which);
  if (!held) return null;
  const chapter = held.of.split(':')[1];
  const beside = pairsOf(state).filter((other) => other !== held.of && other.endsWith(`:${chapter}`));
  const successor = pick(beside, step.successor);
  const term = await runningTerm(scene, held);
  if (!successor || !term) return null;
  return {
    name: `${name}: ${held.position} of ${held.of} to ${successor}`,
    act: () => scene.inTurn(() => handOver(term, { successor: scene.idOf(successor) })),
    imagine: (then) => model.handOver(then, held.of, held.position, successor),
  };
}
