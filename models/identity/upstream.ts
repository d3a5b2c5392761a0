/** Declares the functions that identity needs from areas above it. `models/wireAreas.ts` binds them. */
import { lateBound } from '../lateBinding.js';
import type { Erasure } from './deletion/erasure.js';
import type { NoticeKind } from './notices/noticeText.js';
import type { ProvisionStatus } from './sso/vocabulary.js';

interface IdentityUpstream {
  /**
   * Accepts the open invitations of a placeholder that proved its mailbox by a password reset.
   * @returns false when no invitation is open any longer
   */
  acceptByReset(placeholderId: string, passwordHash: string): Promise<boolean>;
  /**
   * Accepts the invitations to an address that has no account. The organization's own identity provider vouches for the
   * address.
   * @returns null if there is no invitation to the address; an `accountId` of null if accepting created no account
   */
  acceptBySignIn(
    email: string,
    names: Record<'first_name' | 'last_name', string | null>,
  ): Promise<{ accountId: string | null } | null>;
  /** Reports whether a chapter of the tenant accepts new members now. */
  takesMembers(chapterId: string): Promise<boolean>;
  /** Adds a person to a chapter of the tenant as a member. */
  addPerson(chapterId: string, userId: string, as: { role: 'member'; status: ProvisionStatus }): Promise<unknown>;
  /** Adds a notification for an account notice in the current tenant, if there is one. */
  tellOfNotice(kind: NoticeKind, userId: string, noticeId: string): Promise<unknown>;
  /** The erasure rules of the other areas, in the order in which they run. */
  erasures: readonly Erasure[];
}

export const identityUpstream = lateBound<IdentityUpstream>('identity');
