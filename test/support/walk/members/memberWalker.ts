/** Carries out steps of several actors at once, and finds the order in which the model reaches the same state. */
import '../../../../models/wireAreas.js';
import { type Deed, deedOf, type MemberStep } from './deeds.js';
import { countStrangers, readRights, readState } from './findings.js';
import * as model from './memberModel.js';
import type { Member, Pair, State } from './memberModel.js';
import { difference, orders, outcomeOf, shown } from './orders.js';
import { day, Scene } from './scene.js';

export class MemberWalker {
  private state: State = { members: {}, suspended: [], rollover: null };

  private constructor(private readonly scene: Scene) {}

  static async begin(): Promise<MemberWalker> {
    return new MemberWalker(await Scene.begin());
  }

  get organizationId(): string {
    return this.scene.organizationId;
  }

  /** Runs the steps at once. @throws Error where no order of them explains the result */
  async take(steps: MemberStep[]): Promise<void> {
    const deeds = [];
    // Two dates of one membership do not run at once: all its changes have different dates.
    const arriving = steps.findIndex((step) => step.do === 'arrive');
    for (const step of steps.filter((one, n) => one.do !== 'arrive' || n === arriving)) {
      const deed = await deedOf(this.scene, this.state, step);
      if (deed) deeds.push(deed);
    }
    const outcomes = await Promise.all(deeds.map(({ act }) => outcomeOf(act)));
    const found = await readState(this.scene);
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

  /** The background process runs at midnight. */
  async isToday(): Promise<boolean> {
    return (await day(0)) === this.scene.today;
  }

  /** The model's state after the steps in this order; null where a step would have ended differently. */
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

  /** People with access, and chapter leaders, in the model. */
  expected(): { access: string[]; leaders: string[] } {
    const members = Object.entries(this.state.members) as [Pair, Member][];
    const of = (pair: Pair) => this.scene.people[Number(pair.split(':')[0])] as string;
    const access = members
      .filter(([, member]) => model.givesAccess(model.nowOf(member).status))
      .map(([pair]) => of(pair));
    const leaders = members
      .filter(([, member]) => model.leads(model.nowOf(member)))
      .map(([pair]) => this.scene.idOf(pair));
    return { access: [...new Set(access)].sort(), leaders: leaders.sort() };
  }

  actual(): Promise<{ access: string[]; leaders: string[] }> {
    return readRights(this.scene);
  }

  /** The number of members of each chapter at the end of a day: neither inactive nor disaffiliated. */
  standing(at: number): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [pair, { periods }] of Object.entries(this.state.members)) {
      const then = periods.findLast(({ from }) => from <= at);
      if (!then || ['inactive', 'disaffiliated'].includes(then.status)) continue;
      const chapter = this.scene.chapterOf(pair as Pair);
      counts[chapter] = (counts[chapter] ?? 0) + 1;
    }
    return counts;
  }

  /** Rows that are unknown to the walk. */
  strangers(): Promise<Record<string, number>> {
    return countStrangers(this.scene);
  }
}
