/** The scene of membership walks: an organization with three chapters, and its people. */
import { inTenant } from '../../../../models/database/tenancy.js';
import { asOwner } from '../../owner.js';
import { aUser, aWorld } from '../../world.js';
import type { Pair } from './memberModel.js';

export class Scene {
  /** Memberships, as they were last read. */
  readonly ids = new Map<Pair, string>();
  /** Users, in the order of creation. */
  readonly people: string[] = [];
  /** The last crossing, unless it was reverted. */
  rolloverId: string | null = null;

  private constructor(
    readonly organizationId: string,
    readonly chapters: string[],
    private readonly actor: string,
    readonly today: string,
  ) {}

  static async begin(): Promise<Scene> {
    const { organizationId, chapterId, otherChapterId, admin } = await aWorld({ members: 1 });
    const [third] = await asOwner<{ id: string }>(
      `INSERT INTO chapters (organization_id, name) VALUES ($1, 'Gamma') RETURNING id`,
      [organizationId],
    );
    return new Scene(organizationId, [chapterId, otherChapterId, third?.id as string], admin.userId, await day(0));
  }

  /** Runs work of an actor in a transaction of its own. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return inTenant(this.organizationId, work, {
      origin: { userId: this.actor, requestId: null, ipAddress: null },
    });
  }

  /** @returns the model's number of a new person */
  async somebody(): Promise<number> {
    return this.people.push(await aUser()) - 1;
  }

  idOf(pair: Pair): string {
    return this.ids.get(pair) as string;
  }

  chapterOf(pair: Pair): string {
    return this.chapters[Number(pair.split(':')[1])] as string;
  }
}

/** People who graduate: every other one. */
export const isDue = (person: number): boolean => person % 2 === 0;

export const day = async (ahead: number): Promise<string> =>
  (
    await asOwner<{ day: string }>(`SELECT to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYY-MM-DD') AS day`, [
      ahead,
    ])
  )[0]?.day as string;
