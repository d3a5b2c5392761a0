/** What organizations need of the areas above them; `models/areas.ts` says who does it. */
import { fromAbove } from '../above.js';

interface AboveOrganizations {
  /** A membership has reached its end: what is due is paid from the member's own credit, in the open transaction. */
  settleMemberDebt(membershipId: string): Promise<unknown>;
}

export const aboveOrganizations = fromAbove<AboveOrganizations>('organizations');
