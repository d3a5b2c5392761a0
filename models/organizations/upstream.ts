/**
 * Functions that the organizations area needs from the areas above it. `models/wireAreas.ts` supplies the implementations.
 */
import { lateBound } from '../lateBinding.js';

/** Open tasks of one kind in a chapter, and the path of the page that lists them. */
export interface OpenWork {
  kind: string;
  count: number;
  path: string;
}

/** A member's balance in the chapter that billed them, in cents. */
export interface MemberAccount {
  open_invoices: number;
  due_cents: number;
  credit_cents: number;
  /** Credit that remains after the open invoices are paid, and that moves with the member to the new chapter. */
  moving_credit_cents: number;
  /** Open requests for a payment plan. They lapse when the member leaves the chapter. */
  open_plan_requests: number;
}

interface OrganizationsUpstream {
  /** Returns what a member owes and the credit they have in their chapter. */
  readMemberAccount(membershipId: string): Promise<MemberAccount>;
  /** Returns the open tasks that the next officers of a chapter have to handle. */
  openWork(chapterId: string): Promise<OpenWork[]>;
  /** Moves the intake records of a transferred prospective member to the new membership. */
  moveProspect(fromMembership: string, toMembership: string): Promise<void>;
  /**
   * For a new member who is about to be transferred: copies their intake answers to their records now, if the workflow
   * `cross` has not done so yet.
   */
  carryCrossing(membershipId: string): Promise<void>;
  /** Moves a transferred member's account at the organization's office suite to the new membership. */
  moveAccount(fromMembership: string, toMembership: string): Promise<unknown>;
  /** Moves credit to the new membership: the part that remains after the open invoices at the old chapter are paid. */
  moveCredit(fromMembership: string, toMembership: string): Promise<unknown>;
  /** Erases what intake stores about a person who never accepted their invitation. */
  forgetProspect(userId: string): Promise<unknown>;
  /**
   * Deletes applications and requests whose sender never verified their address, in all organizations: up to `limit`
   * rows of each kind.
   * @returns whether there may be more
   */
  forgetUnproven(limit: number): Promise<boolean>;
  /**
   * Deletes expired links and sessions of donors, in all organizations: up to `limit` rows of each kind.
   * @returns whether there may be more
   */
  removeExpiredDonorAccess(limit: number): Promise<boolean>;
  /**
   * Erases forum texts that were deleted 30 days ago or earlier, in all organizations: up to `limit` rows of each kind.
   * @returns whether there may be more
   */
  eraseDeletedTexts(limit: number): Promise<boolean>;
  /** Removes the references to a file that was refused as infected. Runs before the file's own row is locked. */
  refuseFile(fileId: string): Promise<unknown>;
  /** Pays the open invoices of ended memberships from each member's own credit, in the caller's transaction. */
  endMemberAccounts(membershipIds: string[]): Promise<unknown>;
  /** Lapses the open payment plan requests of members who have left their chapter, in the caller's transaction. */
  endPlanRequests(membershipIds: string[]): Promise<unknown>;
}

export const organizationsUpstream = lateBound<OrganizationsUpstream>('organizations');
