/** Records the requests to the platform and its answers, including the promises that are checked at the end. */

/** A response to a request; status 0 means that there was none. */
export interface Answer {
  status: number;
  code: string;
  body: Record<string, unknown>;
  retryAfterMs: number;
}

/** Kinds of facts that a response states as final. The checks at the end compare them with the database. */
export const PROMISES = [
  'created',
  'settled',
  'flagged',
  'resolved',
  'nothing_charged',
  'voided',
  'page_opened',
  'paid_on_page',
  'refund_reserved',
  'refunded',
  'refund_decided',
  'gift_opened',
  'gift_paid',
  'gift_refund_reserved',
  'gift_refunded',
  'pledge_cancelled',
  'pledge_not_charged',
] as const;
export type Promised = (typeof PROMISES)[number];

/** A response that is wrong even during an outage. */
export interface Fault {
  request: string;
  status: number;
  code: string;
  detail: string;
  at: string;
}

export class Diary {
  /** Number of answers by request and kind; for example 'pay' had the answer '409 remittance_in_progress' 3 times. */
  readonly answers = new Map<string, Map<string, number>>();
  readonly faults: Fault[] = [];
  readonly promises: { what: Promised; id: string }[] = [];
  /** Statuses that clients read right after their own payment. */
  readonly shown: { id: string; status: string }[] = [];
  /** Number of paid pages whose events the gateway withholds. */
  silentlyPaidPages = 0;
  private readonly underway = new Map<symbol, string>();
  private sentListeners: ((request: string) => void)[] = [];
  private answeredListeners: ((request: string) => void)[] = [];
  private paymentListeners: { since: number; hear: (at: number) => void }[] = [];

  /** Records that a request was sent. @returns a function that records the answer */
  ask(request: string): (answer: Answer) => void {
    const key = Symbol(request);
    const sentAt = Date.now();
    this.underway.set(key, request);
    for (const hear of this.sentListeners.splice(0)) hear(request);
    return (answer) => {
      this.underway.delete(key);
      if (answer.status !== 0) for (const hear of this.answeredListeners.splice(0)) hear(request);
      if (request === 'pay' && answer.status === 200) this.paid(sentAt);
      this.count(request, answer);
    };
  }

  promise(what: Promised, id: string): void {
    this.promises.push({ what, id });
  }

  /** Removes the promise 'nothing_charged', because the client tries to pay again. */
  reopen(remittanceId: string): void {
    const at = this.promises.findIndex(({ what, id }) => what === 'nothing_charged' && id === remittanceId);
    if (at >= 0) this.promises.splice(at, 1);
  }

  /** Resolves when the next request of this kind is sent. */
  async next(request: string): Promise<void> {
    while ((await new Promise<string>((hear) => this.sentListeners.push(hear))) !== request);
  }

  /** Resolves when the next request of this kind is answered. */
  async answered(request: string): Promise<void> {
    while ((await new Promise<string>((hear) => this.answeredListeners.push(hear))) !== request);
  }

  /** Resolves with the time at which a payment that was requested after `since` is answered with 200. */
  paidAfter(since: number): Promise<number> {
    return new Promise((hear) => this.paymentListeners.push({ since, hear }));
  }

  private paid(sentAt: number): void {
    const isHeard = ({ since }: { since: number }) => sentAt >= since;
    for (const { hear } of this.paymentListeners.filter(isHeard)) hear(Date.now());
    this.paymentListeners = this.paymentListeners.filter((one) => !isHeard(one));
  }

  /** Records a response that does not match its documentation. */
  misunderstood(request: string, { name, message }: Error): void {
    this.faults.push({ request, status: 200, code: name, detail: message, at: new Date().toISOString() });
  }

  /** Describes the unanswered requests: '2 pay, 1 look'. */
  inFlight(): string {
    const counts = new Map<string, number>();
    for (const request of this.underway.values()) counts.set(request, (counts.get(request) ?? 0) + 1);
    return [...counts].map(([request, count]) => `${count} ${request}`).join(', ') || 'nothing';
  }

  private count(request: string, { status, code, body }: Answer): void {
    const answer = status === 0 ? code || 'no answer' : status < 300 ? String(status) : `${status} ${code}`;
    const answers = this.answers.get(request) ?? new Map<string, number>();
    this.answers.set(request, answers.set(answer, (answers.get(answer) ?? 0) + 1));
    if (status >= 500 && status !== 503)
      this.faults.push({ request, status, code, detail: String(body['detail']), at: new Date().toISOString() });
  }
}
