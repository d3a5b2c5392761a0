/** What organizations need of the areas above them; `models/areas.ts` says who does it. */
import { fromAbove } from '../above.js';

/** What is left to do in a chapter, and where to see it. */
export interface OpenWork {
  kind: string;
  count: number;
  path: string;
}

/** What stands to a member's account in the chapter that billed it, in cents. */
export interface MemberAccount {
  open_invoices: number;
  due_cents: number;
  credit_cents: number;
  /** What of the credit goes along to another chapter: what the open invoices leave. */
  moving_credit_cents: number;
  /** Requests to pay by instalments that wait for a decision, and lapse when the member leaves the chapter. */
  open_plan_requests: number;
}

interface AboveOrganizations {
  /** What a member owes and has left where they are. */
  readMemberAccount(membershipId: string): Promise<MemberAccount>;
  /** What whoever follows in a chapter's offices has to see to. */
  openWork(chapterId: string): Promise<OpenWork[]>;
  /** Of a prospective member who was transferred, what intake knows goes along. */
  moveProspect(fromMembership: string, toMembership: string): Promise<void>;
  /** Whoever goes elsewhere takes along what their crossing carries, although its process has not come to it yet. */
  carryCrossing(membershipId: string): Promise<void>;
  /** Of whoever is transferred, the account at the organization's office suite goes along. */
  moveAccount(fromMembership: string, toMembership: string): Promise<unknown>;
  /** And the credit that the open invoices at the old chapter leave. */
  moveCredit(fromMembership: string, toMembership: string): Promise<unknown>;
  /** Somebody who never accepted is forgotten: what intake knows of them goes, too. */
  forgetProspect(userId: string): Promise<unknown>;
  /**
   * What strangers sent and never went on with is erased, of all organizations: up to so much of each kind.
   * @returns whether there may be more
   */
  forgetUnproven(most: number): Promise<boolean>;
  /** A file was refused as infected: what it went with does without, before the file's row is touched. */
  refuseFile(fileId: string): Promise<unknown>;
  /** Memberships have reached their end: what is due is paid from each member's own credit, in the open transaction. */
  endMemberAccounts(membershipIds: string[]): Promise<unknown>;
  /** Members are out of their chapter: their open requests to pay by instalments lapse, in the open transaction. */
  endPlanRequests(membershipIds: string[]): Promise<unknown>;
}

export const aboveOrganizations = fromAbove<AboveOrganizations>('organizations');
