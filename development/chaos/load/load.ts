/** The load: people at two organizations who pay, resolve flagged payments, request refunds and abandon requests. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEVELOPMENT_SECRETS } from '../../../config.js';
import type { SeededOrganization } from '../../seeding/facts.js';
import type { Dice } from '../dice.js';
import type { Gateway } from '../gateway.js';
import type { Phones } from '../phones.js';
import type { ChaosStack } from '../stack/chaosStack.js';
import { bill } from './billing.js';
import type { Club } from './club.js';
import type { Diary } from './diary.js';
import { InvoicePool } from './invoicePool.js';
import { isOutage, Person } from './person.js';
import { letPledgeBeDue } from './pledges.js';
import { nextStory } from './stories.js';

const INVOICES_PER_BILLING = 80;
/**
 * Due date of the first invoices, in days from today. It is later than all seeded due dates, and later invoices get
 * later due dates. Lists start with the latest due date, so new invoices come first.
 */
const FIRST_DUE_IN_DAYS = 60;

/** Faults that the gateway may inject into refund requests. */
const REFUND_FAULTS = ['drop_before_capture', 'drop_after_capture', 'hang', 'error_after_capture'];

/** Returns the secret key of an organization's seeded account at the gateway. */
const secretKeyOf = (slug: string): string => `${DEVELOPMENT_SECRETS.stripeKey}_${slug.replaceAll('-', '_')}`;

/** Registers a push token, like the app at its start. */
const registerPhone = async (person: Person): Promise<void> => {
  const token = randomBytes(32).toString('hex');
  await person.insist('register phone', 'POST', '/api/push-tokens/', { platform: 'ios', token });
};

/** Returns the secret key of a foundation's seeded account at the gateway. */
const giftKeyOf = (slug: string): string => secretKeyOf(`${slug}-foundation`);

/** Returns the secret keys of an organization's accounts. */
export const secretKeysOf = (slug: string): string[] => [secretKeyOf(slug), giftKeyOf(slug)];

/** A page with an unknown outcome, of an invoice or a gift. */
export interface UnknownPage extends Record<string, unknown> {
  organization_id: string;
  invoice_id: string | null;
  donation_id: string | null;
}

export class Load {
  /** Called before each payment, if set. Then no random faults are injected into events. */
  beforePayments: Club['beforePaying'] | null = null;
  /** Called before each refund, if set. Then no random faults are injected into refunds. */
  beforeRefunds: Club['beforeRefunding'] | null = null;
  private over = false;
  private readonly clubs = new Map<string, Club>();
  private readonly faultDice: Dice;
  private readonly running: Promise<void>[] = [];

  constructor(
    private readonly stack: ChaosStack,
    readonly gateway: Gateway,
    readonly phones: Phones,
    readonly diary: Diary,
    private readonly dice: Dice,
  ) {
    this.faultDice = dice.for('weather');
  }

  /** Starts the given number of people. */
  begin(people: number): void {
    for (const organization of this.organizations()) this.clubs.set(organization.id, this.clubOf(organization));
    const clubs = [...this.clubs.values()];
    for (const { officer, admin } of clubs) this.running.push(registerPhone(officer), registerPhone(admin));
    for (let n = 0; n < people; n += 1) {
      this.running.push(this.runStories(clubs[n % clubs.length] as Club, this.dice.for(`person ${n}`)));
    }
  }

  /** Ends the load; resolves when everyone has finished. */
  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
  }

  /**
   * Clicks 'pay' once more, or looks at the gift, so that the platform asks the gateway about the page.
   * @returns whether there was an answer. If the platform was down or busy, returns false after the pause that it asked
   * for
   */
  async clickAgain({ organization_id, invoice_id, donation_id }: UnknownPage): Promise<boolean> {
    const club = this.clubs.get(organization_id);
    if (!club) return false;
    const answer = donation_id
      ? await club.donor.ask('look at gift', 'GET', `/api/foundation/public/donations/${donation_id}/`)
      : await club.officer.ask('click again', 'POST', `/api/invoices/${invoice_id}/pay/`);
    if (!isOutage(answer)) return true;
    await club.officer.pauseAfter(answer);
    return false;
  }

  /** Returns the organizations that the seed wrote down. */
  organizations(): SeededOrganization[] {
    return JSON.parse(
      readFileSync(path.join(this.stack.settings.dataDir, 'seed.json'), 'utf8'),
    ) as SeededOrganization[];
  }

  private async runStories(club: Club, dice: Dice): Promise<void> {
    while (!this.over) {
      const story = nextStory(dice);
      await story(club, dice).catch((error: Error) => this.diary.misunderstood(story.name, error));
      await sleep(dice.between(20, 300));
    }
  }

  private async beforePaying(remittanceId: string): Promise<void> {
    await (this.beforePayments ? this.beforePayments(remittanceId) : this.injectEventFaults(remittanceId));
  }

  /** Injects faults into the events of a remittance: late, duplicated or reordered. */
  private async injectEventFaults(remittanceId: string): Promise<void> {
    const { faultDice: dice, gateway } = this;
    const about = { remittance_id: remittanceId, times: 20 };
    if (dice.chance(0.3)) await gateway.injectFault({ kind: 'duplicate_events', copies: dice.between(2, 4), ...about });
    const [seed, window] = [dice.between(0, 9_999), dice.between(100, 1_500)];
    if (dice.chance(0.3)) await gateway.injectFault({ kind: 'shuffle_events', seed, window_ms: window, ...about });
    else if (dice.chance(0.4))
      await gateway.injectFault({ kind: 'delay_events', delay_ms: dice.between(200, 8_000), ...about });
  }

  private async beforeRefunding(remittanceId: string | null): Promise<void> {
    await (this.beforeRefunds ? this.beforeRefunds(remittanceId) : this.injectRefundFault(remittanceId));
  }

  /** Injects a fault into a refund: the request or its answer is lost. */
  private async injectRefundFault(remittanceId: string | null): Promise<void> {
    if (!this.faultDice.chance(0.3)) return;
    const about = remittanceId === null ? {} : { remittance_id: remittanceId };
    await this.gateway.injectFault({ kind: this.faultDice.oneOf(REFUND_FAULTS), operation: 'refund', ...about });
  }

  private clubOf({ id, slug, chapter_ids: [chapterId = ''], users, foundation }: SeededOrganization): Club {
    const dayIsOver = () => this.over;
    const person = ({ email, password }: { email: string; password: string }) =>
      new Person(this.stack.settings.urls.api, { email, password, organization: slug }, this.diary, dayIsOver);
    const officer = person(users.officer);
    let dueInDays = FIRST_DUE_IN_DAYS;
    const billMore = () => {
      dueInDays += 1;
      const terms = { organizationId: id, chapterId, members: INVOICES_PER_BILLING, cents: 1_500, dueInDays };
      return bill(this.stack.ownerUrl, terms);
    };
    return {
      organizationId: id,
      chapterId,
      officer,
      admin: person(users.admin),
      foundationAdmin: person(users.foundation_admin),
      donor: new Person(this.stack.settings.urls.api, null, this.diary, dayIsOver),
      foundation,
      invoices: new InvoicePool(officer, chapterId, billMore, dayIsOver),
      gateway: this.gateway,
      secretKey: secretKeyOf(slug),
      giftKey: giftKeyOf(slug),
      diary: this.diary,
      settled: [],
      paidOnPage: [],
      gifts: [],
      letPledgeBeDue: (pledgeId) => letPledgeBeDue(this.stack.ownerUrl, pledgeId).catch(() => undefined),
      dayIsOver,
      beforePaying: (remittanceId) => this.beforePaying(remittanceId),
      beforeRefunding: (remittanceId) => this.beforeRefunding(remittanceId),
    };
  }
}
