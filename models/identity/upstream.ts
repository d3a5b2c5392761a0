/**
 * Declares the functions that the identity area needs from the areas above it. Identity must not import these areas,
 * because they may import identity; `models/wireAreas.ts` provides the functions.
 */
import { lateBound } from '../lateBinding.js';
import type { Erasure } from './deletion/erasure.js';
import type { NoticeKind } from './notices/noticeText.js';
import type { ProvisionStatus } from './sso/vocabulary.js';

/** A link that a mail contains, and what the mail says beside it. */
export interface IssuedLink {
  /** The secret token in the link. */
  secret: string;
  firstName: string;
  facts: Record<string, string>;
}

interface IdentityUpstream {
  /**
   * Accepts the open invitations of a placeholder who has set a password through a mailed link and has thereby proven
   * the mailbox.
   * @returns false if no invitation is open any longer
   */
  acceptByReset(placeholderId: string, passwordHash: string): Promise<boolean>;
  /**
   * Accepts the invitations to an address that has no account. The organization's own identity provider vouches for the
   * address.
   * @returns null if there is no invitation to the address; `accountId` is null if accepting the invitation created no
   * account
   */
  acceptBySignIn(
    email: string,
    names: Record<'first_name' | 'last_name', string | null>,
  ): Promise<{ accountId: string | null } | null>;
  /** Reports whether a chapter of the tenant accepts new members now. */
  takesMembers(chapterId: string): Promise<boolean>;
  /** Adds a person to a chapter of the tenant as a member. */
  addPerson(chapterId: string, userId: string, as: { role: 'member'; status: ProvisionStatus }): Promise<unknown>;
  /**
   * Adds an in-app notification for an account notice to the current tenant. Does nothing if the transaction has no
   * tenant.
   */
  tellOfNotice(kind: NoticeKind, userId: string, noticeId: string): Promise<unknown>;
  /**
   * Issues a link with which the donor who has this address signs in to their own pages. The transaction has no tenant.
   * @returns null if there is no such donor
   */
  issueDonorLink(organizationId: string, email: string): Promise<IssuedLink | null>;
  /** The erasure rules of the other areas, in the order in which they run. */
  erasures: readonly Erasure[];
}

export const identityUpstream = lateBound<IdentityUpstream>('identity');
