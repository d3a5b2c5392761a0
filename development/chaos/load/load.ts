/** A day at two organizations: people who pay, flag, resolve and walk away until it is over. */
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
import { nextStory } from './stories.js';

const BILLED_AT_ONCE = 80;
/** Later than anything seeded, and later each time: the newest are listed first. */
const FIRST_DUE_IN_DAYS = 60;

/** What goes wrong when money is to go back. */
const REFUND_FAULTS = ['drop_before_capture', 'drop_after_capture', 'hang', 'error_after_capture'];

/** What opens the account that the seed connected an organization to. */
export const secretKeyOf = (slug: string): string => `${DEVELOPMENT_SECRETS.stripeKey}_${slug.replaceAll('-', '_')}`;

/** As their app does when it starts. */
const registerPhone = async (person: Person): Promise<void> => {
  const token = randomBytes(32).toString('hex');
  await person.insist('register phone', 'POST', '/api/push-tokens/', { platform: 'ios', token });
};

/** A page of which nobody knows the end. */
export interface UnknownPage extends Record<string, unknown> {
  organization_id: string;
  invoice_id: string;
}

export class Load {
  /** Decides how remittances are paid while it is set, instead of the usual. */
  beforePayments: Club['beforePaying'] | null = null;
  /** The same of how money goes back. */
  beforeRefunds: Club['beforeRefunding'] | null = null;
  private over = false;
  private readonly clubs = new Map<string, Club>();
  private readonly weather: Dice;
  private readonly busy: Promise<void>[] = [];

  constructor(
    private readonly stack: ChaosStack,
    readonly gateway: Gateway,
    readonly phones: Phones,
    readonly diary: Diary,
    private readonly dice: Dice,
  ) {
    this.weather = dice.for('weather');
  }

  /** Lets so many people begin. */
  begin(people: number): void {
    for (const organization of this.organizations()) this.clubs.set(organization.id, this.clubOf(organization));
    const clubs = [...this.clubs.values()];
    for (const { officer, admin } of clubs) this.busy.push(registerPhone(officer), registerPhone(admin));
    for (let n = 0; n < people; n += 1) {
      this.busy.push(this.live(clubs[n % clubs.length] as Club, this.dice.for(`person ${n}`)));
    }
  }

  /** Nobody begins anything new; resolves when everybody has gone home. */
  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.busy);
  }

  /** Somebody clicks once more on 'pay': the gateway is asked what became of the page. @returns whether there was an answer; none: after what it asks to be waited */
  async clickAgain({ organization_id, invoice_id }: UnknownPage): Promise<boolean> {
    const officer = this.clubs.get(organization_id)?.officer;
    if (!officer) return false;
    const answer = await officer.ask('click again', 'POST', `/api/invoices/${invoice_id}/pay/`);
    if (!isOutage(answer)) return true;
    await officer.pauseAfter(answer);
    return false;
  }

  /** What the seed wrote down. */
  organizations(): SeededOrganization[] {
    return JSON.parse(
      readFileSync(path.join(this.stack.settings.dataDir, 'seed.json'), 'utf8'),
    ) as SeededOrganization[];
  }

  private async live(club: Club, dice: Dice): Promise<void> {
    while (!this.over) {
      const story = nextStory(dice);
      await story(club, dice).catch((error: Error) => this.diary.misunderstood(story.name, error));
      await sleep(dice.between(20, 300));
    }
  }

  private async beforePaying(remittanceId: string): Promise<void> {
    await (this.beforePayments ? this.beforePayments(remittanceId) : this.orderWeather(remittanceId));
  }

  /** How the events of a remittance travel: late, several times, or in another order. */
  private async orderWeather(remittanceId: string): Promise<void> {
    const { weather: dice, gateway } = this;
    const about = { remittance_id: remittanceId, times: 20 };
    if (dice.chance(0.3)) await gateway.order({ kind: 'duplicate_events', copies: dice.between(2, 4), ...about });
    const [seed, window] = [dice.between(0, 9_999), dice.between(100, 1_500)];
    if (dice.chance(0.3)) await gateway.order({ kind: 'shuffle_events', seed, window_ms: window, ...about });
    else if (dice.chance(0.4))
      await gateway.order({ kind: 'delay_events', delay_ms: dice.between(200, 8_000), ...about });
  }

  private async beforeRefunding(remittanceId: string | null): Promise<void> {
    await (this.beforeRefunds ? this.beforeRefunds(remittanceId) : this.orderLostAnswer(remittanceId));
  }

  /** What the gateway is asked to give back, it may not hear of, or nobody hears that it did. */
  private async orderLostAnswer(remittanceId: string | null): Promise<void> {
    if (!this.weather.chance(0.3)) return;
    const about = remittanceId === null ? {} : { remittance_id: remittanceId };
    await this.gateway.order({ kind: this.weather.oneOf(REFUND_FAULTS), operation: 'refund', ...about });
  }

  private clubOf({ id, slug, chapter_ids: [chapterId = ''], users }: SeededOrganization): Club {
    const dayIsOver = () => this.over;
    const person = ({ email, password }: { email: string; password: string }) =>
      new Person(this.stack.settings.urls.api, { email, password, organization: slug }, this.diary, dayIsOver);
    const officer = person(users.officer);
    let dueInDays = FIRST_DUE_IN_DAYS;
    const billMore = () => {
      dueInDays += 1;
      const terms = { organizationId: id, chapterId, members: BILLED_AT_ONCE, cents: 1_500, dueInDays };
      return bill(this.stack.ownerUrl, terms);
    };
    return {
      organizationId: id,
      chapterId,
      officer,
      admin: person(users.admin),
      invoices: new InvoicePool(officer, chapterId, billMore, dayIsOver),
      gateway: this.gateway,
      secretKey: secretKeyOf(slug),
      diary: this.diary,
      settled: [],
      paidOnPage: [],
      dayIsOver,
      beforePaying: (remittanceId) => this.beforePaying(remittanceId),
      beforeRefunding: (remittanceId) => this.beforeRefunding(remittanceId),
    };
  }
}
