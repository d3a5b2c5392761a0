/**
 * Demo of giving: a gift on a public campaign with its receipt, a declined card, a gift that covers its fee, a refund,
 * and a dispute. The disputed money is lost until the foundation wins the dispute. Then a pledge: its first gift, the next
 * one, and a cancellation during the third. Then annual receipts, and a bulletin to all donors.
 */
import { randomUUID } from 'node:crypto';
import { showAnnualReceipts } from './annualReceipts.js';
import { showBulletin } from './bulletin.js';
import { DemoClient, DemoFailed, expectStatus, problem, type Row } from './client.js';
import { until } from './exportAndProve.js';
import type { DemoFacts } from './facts.js';
import { GiftAccount } from './giftAccount.js';
import { readMail } from './mails.js';
import { type DemoPledge, showCancellation, showPeriod } from './pledges.js';
import { money, screen } from './screen.js';
import { workflowUrl } from './workflowUrl.js';

interface Campaign {
  title: string;
  foundation_name: string;
  suggested_amounts: number[];
  fee_rate: string;
  fee_fixed_cents: number;
}

interface Given {
  donation_id: string;
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  checkout_url: string;
}

interface Gift extends Row {
  status: string;
  amount_cents: number;
  refunded_cents: number;
  receipt: { status: string; number: string | null };
}

/** A gift of the demo: its id, and the address of its donor. */
interface Donor {
  id: string;
  email: string;
}

/**
 * Plays the story of giving, from a gift with its receipt to a bulletin.
 * @throws DemoFailed
 */
export async function showGiving(facts: DemoFacts): Promise<void> {
  const story = await Story.open(facts);
  try {
    const gift = await story.give();
    await story.receipt(gift);
    await story.decline();
    const covered = await story.coverTheFees();
    await story.refund(gift);
    await story.dispute(covered);
    const pledge = await story.pledge();
    await story.nextGift(pledge);
    await story.cancel(pledge);
    await story.annualReceipts();
    await story.bulletin(covered);
  } finally {
    await story.close();
  }
}

class Story {
  private constructor(
    private readonly facts: DemoFacts,
    private readonly campaign: string,
    private readonly donor: DemoClient,
    private readonly admin: DemoClient,
    private readonly editor: DemoClient,
    /** Null for a real gateway, whose account cannot be controlled. */
    private readonly account: GiftAccount | null,
  ) {}

  static async open(facts: DemoFacts): Promise<Story> {
    const [{ slug, foundation, users }] = facts.organizations as [DemoFacts['organizations'][number]];
    if (!foundation || !users.foundation_admin || !users.foundation_editor)
      throw new DemoFailed('demo.json names no foundation. Restart npm start.');
    const admin = await DemoClient.signIn(facts.base_url, users.foundation_admin, slug);
    const editor = await DemoClient.signIn(facts.base_url, users.foundation_editor, slug);
    const { id: processorId } = await admin.get<Row>('/api/foundation/payment-processor/');
    const account = await GiftAccount.open(facts, slug, processorId);
    const campaign = `/api/foundation/public/campaigns/${foundation.id}/${foundation.campaign_slug}/`;
    return new Story(facts, campaign, DemoClient.anonymous(facts.base_url), admin, editor, account);
  }

  async close(): Promise<void> {
    await this.account?.close();
  }

  async give(): Promise<Donor> {
    screen.chapter('1. A donor gives to a public campaign');
    const campaign = await this.donor.get<Campaign>(this.campaign);
    screen.done(`${campaign.foundation_name}, ${campaign.title}: ${campaign.suggested_amounts.map(money).join(', ')}.`);
    screen.note(`the fee of each gift: ${campaign.fee_rate} of it and ${money(campaign.fee_fixed_cents)}`);
    const body = giftOf('Ada', { amount_cents: 5_000 });
    const given = await this.request(body);
    screen.done(
      `${money(given.amount_cents)} are requested: fee ${money(given.fee_cents)}, net ${money(given.net_cents)}.`,
    );
    const again = await this.request(body);
    if (again.donation_id !== given.donation_id) throw new DemoFailed('The same key made a second gift.');
    screen.note('the same request again finds the same gift and the same payment page');
    await pay(given, 'pm_card_visa');
    await this.untilIs(given.donation_id, 'completed');
    screen.done('The donor pays on the provider’s page, and the gift is completed.');
    return { id: given.donation_id, email: body.email };
  }

  async receipt(gift: Donor): Promise<void> {
    screen.chapter('2. The receipt arrives by mail, and anybody can check it');
    await this.showReceipt(gift);
  }

  async decline(): Promise<void> {
    screen.chapter('3. A declined card');
    const given = await this.request(giftOf('Ben', { amount_cents: 2_500 }));
    await pay(given, 'pm_card_chargeDeclined');
    const declined = await this.untilIs(given.donation_id, 'failed');
    screen.done(`The card is declined, and nothing was charged: the gift is ${declined.status}.`);
    await pay(given, 'pm_card_visa');
    await this.untilIs(given.donation_id, 'completed');
    screen.done('Another card pays on the same page, and the gift is completed.');
  }

  async coverTheFees(): Promise<Donor> {
    screen.chapter('4. A donor who covers the fee');
    const covers = { covers_fees: true, base_amount_cents: 5_000 };
    const wrong = await this.donor.post(`${this.campaign}donate/`, giftOf('Cleo', { ...covers, amount_cents: 5_180 }));
    if (wrong.body['code'] !== 'fee_cover_mismatch') throw new DemoFailed(`Answered ${problem(wrong.body)}`);
    screen.note(`a wrong amount: ${wrong.status} ${problem(wrong.body)}`);
    const body = giftOf('Cleo', { ...covers, amount_cents: 5_181 });
    const given = await this.request(body);
    await pay(given, 'pm_card_visa');
    await this.untilIs(given.donation_id, 'completed');
    screen.done(
      `${money(given.amount_cents)} are charged, the fee is ${money(given.fee_cents)}, and ${money(given.net_cents)} remain.`,
    );
    return { id: given.donation_id, email: body.email };
  }

  async refund(gift: Donor): Promise<void> {
    screen.chapter('5. The foundation refunds the first gift');
    const path = `/api/foundation/donations/${gift.id}/refund/`;
    const reason = { reason: 'The donor asked for it.' };
    const refused = await this.editor.post(path, reason);
    screen.note(`an editor may not: ${refused.status} ${String(refused.body['code'])}`);
    await expectStatus(this.admin.post(path, reason), 201);
    const refunded = await this.untilIs(gift.id, 'refunded');
    screen.done(`${money(refunded.refunded_cents)} are refunded, and the totals of campaign and fund follow.`);
    screen.done(`Receipt ${String(refunded.receipt.number)} is ${refunded.receipt.status}.`);
    const again = await this.admin.post(path, reason);
    screen.note(`a second refund: ${again.status} ${problem(again.body)}`);
  }

  async dispute(gift: Donor): Promise<void> {
    screen.chapter('6. A donor’s bank disputes a gift, and the foundation wins');
    if (!this.account) return screen.note('Skipped: disputes cannot be opened at this gateway.');
    const { amount_cents: cents } = await this.read(gift.id);
    const disputeId = await this.account.dispute(cents);
    const disputed = await this.untilIs(gift.id, 'refunded');
    const { number, status } = disputed.receipt;
    screen.done(`The bank withdraws ${money(disputed.refunded_cents)}, and receipt ${String(number)} is ${status}.`);
    await this.account.win(disputeId);
    await this.untilIs(gift.id, 'completed');
    screen.done('The foundation wins: the gift is completed again, and a new receipt replaces the void one.');
    await this.showReceipt(gift, 'Corrected receipt');
  }

  async pledge(): Promise<DemoPledge> {
    screen.chapter('7. A donor gives every month');
    const body = giftOf('Erin', { amount_cents: 3_000, is_recurring: true, recurring_interval: 'monthly' });
    const given = await this.request(body);
    await pay(given, 'pm_card_visa');
    await this.untilIs(given.donation_id, 'completed');
    const gift = await this.admin.get<Row>(`/api/foundation/donations/${given.donation_id}/`);
    const pledge = { id: String(gift['pledge']), donor: String(gift['donor']), email: body.email };
    const { status, next_due_at } = await this.admin.get<Row>(`/api/foundation/pledges/${pledge.id}/`);
    screen.done(`The first payment of ${money(given.amount_cents)} starts a pledge, which is ${String(status)}.`);
    screen.note(`the provider keeps the card, and the next gift is due at ${String(next_due_at)}`);
    screen.note(`its workflow, which sleeps until then: ${workflowUrl(this.facts, `pledge/${pledge.id}`)}`);
    return pledge;
  }

  nextGift(pledge: DemoPledge): Promise<void> {
    return showPeriod(this.facts, this.admin, pledge);
  }

  cancel(pledge: DemoPledge): Promise<void> {
    return showCancellation(this.facts, this.admin, this.account?.gateway ?? null, pledge);
  }

  annualReceipts(): Promise<void> {
    return showAnnualReceipts(this.facts, this.admin);
  }

  bulletin({ email }: Donor): Promise<void> {
    return showBulletin(this.facts, this.admin, email);
  }

  private async request(body: object): Promise<Given> {
    return (await expectStatus(this.donor.post(`${this.campaign}donate/`, body), 201)) as unknown as Given;
  }

  /** Reads a gift as its donor does: without any personal data. */
  private read(donationId: string): Promise<Gift> {
    return this.donor.get<Gift>(`/api/foundation/public/donations/${donationId}/`);
  }

  private untilIs(donationId: string, ...statuses: string[]): Promise<Gift> {
    return until(
      () => this.read(donationId),
      ({ status }) => statuses.includes(status),
    );
  }

  /** Prints the mailed receipt and the answer of its verification page. */
  private async showReceipt({ email }: Donor, subject = 'Receipt'): Promise<void> {
    if (!this.facts.mail_url) return screen.note('Skipped: mails went to a real server.');
    const mail = await readMail(this.facts, email, (one) => one.subject.startsWith(subject));
    const [file] = mail.attachments;
    const content = Buffer.from(file?.content ?? '', 'base64');
    if (!content.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new DemoFailed('The mail has no PDF.');
    screen.done(`${email} receives “${mail.subject}” with ${String(file?.name)} (${content.length} bytes).`);
    const code = /\/receipts\/([\w-]{22})/.exec(mail.text)?.[1];
    const page = await (await fetch(`${this.facts.base_url}/receipts/${String(code)}`)).text();
    const answer = /<b>(.*?)<\/b>/.exec(page)?.[1];
    if (answer !== 'This receipt is valid.') throw new DemoFailed(`The page of the receipt says: ${String(answer)}`);
    screen.done(`Its public page: ${answer}`);
    screen.note(`${this.facts.base_url}/receipts/${String(code)}`);
  }
}

/** Returns the body of a gift of a new donor. */
const giftOf = (first_name: string, more: { amount_cents: number } & Record<string, unknown>) => ({
  ...more,
  email: `${first_name.toLowerCase()}.${Date.now()}@example.org`,
  first_name,
  last_name: 'Donor',
  idempotency_key: randomUUID(),
});

/** Pays on the page of the provider, as a browser would. */
async function pay({ checkout_url: url }: Given, card: string): Promise<void> {
  const body = new URLSearchParams({ payment_method: card });
  await fetch(url, { method: 'POST', redirect: 'manual', body });
}
