/** Where memberships are walked at random: an organization with three chapters, and who came into them. */
import { inTenant } from '../../../../models/database/tenancy.js';
import { asOwner } from '../../owner.js';
import { aUser, aWorld } from '../../world.js';
import type { Pair } from './memberModel.js';

export class Scene {
  /** Memberships, as they were last found. */
  readonly ids = new Map<Pair, string>();
  /** Users, in the order in which they came. */
  readonly people: string[] = [];
  /** The last one, as long as nobody has taken it back. */
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

  /** Work of an actor, in a transaction of its own. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return inTenant(this.organizationId, work, {
      origin: { userId: this.actor, requestId: null, ipAddress: null },
    });
  }

  /** @returns the number by which the model calls a new person */
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

/** Who graduates: every other one. */
export const isDue = (person: number): boolean => person % 2 === 0;

export const day = async (ahead: number): Promise<string> =>
  (
    await asOwner<{ day: string }>(`SELECT to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYY-MM-DD') AS day`, [
      ahead,
    ])
  )[0]?.day as string;
