/** What organizations need of the areas above them; `models/areas.ts` says who does it. */
import { fromAbove } from '../above.js';

/** What is left to do in a chapter, and where to see it. */
export interface OpenWork {
  kind: string;
  count: number;
  path: string;
}

interface AboveOrganizations {
  /** What whoever follows in a chapter's offices has to see to. */
  openWork(chapterId: string): Promise<OpenWork[]>;
  /** Memberships have reached their end: what is due is paid from each member's own credit, in the open transaction. */
  settleMemberDebts(membershipIds: string[]): Promise<unknown>;
}

export const aboveOrganizations = fromAbove<AboveOrganizations>('organizations');
