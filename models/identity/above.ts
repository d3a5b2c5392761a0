/** What identity needs of the areas above it; `models/areas.ts` says who does it. */
import { fromAbove } from '../above.js';
import type { Erasure } from './deletion/erasure.js';
import type { NoticeKind } from './notices/noticeText.js';
import type { ProvisionStatus } from './sso/vocabulary.js';

interface AboveIdentity {
  /**
   * Somebody without an account has proven the mailbox of an invitation.
   * @returns false when nothing is open any more
   */
  acceptByReset(placeholderId: string, passwordHash: string): Promise<boolean>;
  /**
   * The organization's own provider vouches for an address that nobody uses.
   * @returns null when nobody was invited by it; without an account when nobody is let in by that
   */
  acceptBySignIn(
    email: string,
    names: Record<'first_name' | 'last_name', string | null>,
  ): Promise<{ accountId: string | null } | null>;
  /** Whether a chapter of the tenant takes new members now. */
  takesMembers(chapterId: string): Promise<boolean>;
  /** Makes somebody a member of a chapter of the tenant. */
  addPerson(chapterId: string, userId: string, as: { role: 'member'; status: ProvisionStatus }): Promise<unknown>;
  /** Tells somebody in the tenant, if there is one, of what an account notice tells them by mail. */
  tellOfNotice(kind: NoticeKind, userId: string, noticeId: string): Promise<unknown>;
  /** What the deletion of an account means in each of the other areas, in the order in which it is carried out. */
  erasures: readonly Erasure[];
}

export const aboveIdentity = fromAbove<AboveIdentity>('identity');
