/**
 * Carries out the steps of an account walk by calling operations: two members, who move between chapters, and their chapter, in a
 * new organization.
 */
import '../../../models/wireAreas.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal } from '../../../models/errors.js';
import type { AccountStep } from './accountSteps.js';
import { billing } from './accounts/billing.js';
import { disputing } from './accounts/disputing.js';
import { moving } from './accounts/moving.js';
import { paying } from './accounts/paying.js';
import { plans } from './accounts/plans.js';
import { refunding } from './accounts/refunding.js';
import { AccountStage, type Does } from './accounts/stage.js';
import { waiting } from './accounts/waiting.js';

const ALL: Does<AccountStep['do']> = {
  ...billing,
  ...paying,
  ...refunding,
  ...waiting,
  ...disputing,
  ...plans,
  ...moving,
};

export class AccountWalker {
  private constructor(private readonly stage: AccountStage) {}

  get organizationId(): string {
    return this.stage.organizationId;
  }

  static async begin(): Promise<AccountWalker> {
    return new AccountWalker(await AccountStage.begin());
  }

  /** Void invoices stay void, and not every entry can be reversed: expected refusals. @throws Error for others */
  async take(step: AccountStep): Promise<void> {
    // Each kind has its own parameters: the compiler cannot see that name and step belong together.
    const carryOut = ALL[step.do] as (stage: AccountStage, step: AccountStep) => Promise<unknown>;
    try {
      const origin = { userId: this.stage.world.officer.userId, requestId: null, ipAddress: null };
      await inTenant(this.organizationId, () => carryOut(this.stage, step), { origin });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
      const mayBeRefused =
        ['reverse', 'send credit back', 'leave', 'issue anew', 'plan'].includes(step.do) ||
        refusal?.code === 'invoice_void';
      if (!refusal || !mayBeRefused) throw error;
    }
  }
}
