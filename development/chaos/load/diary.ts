/** What was asked of the platform and what it answered: the promises that it is held to at the end. */

/** How a request was answered; status 0: not at all. */
export interface Answer {
  status: number;
  code: string;
  body: Record<string, unknown>;
  retryAfterMs: number;
}

/** What an answer told a client to be so, for good. */
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
] as const;
export type Promised = (typeof PROMISES)[number];

/** Answers that no outage excuses. */
export interface Fault {
  request: string;
  status: number;
  code: string;
  detail: string;
  at: string;
}

export class Diary {
  /** How often a request was answered how: 'pay' -> '409 remittance_in_progress' -> 3. */
  readonly answers = new Map<string, Map<string, number>>();
  readonly faults: Fault[] = [];
  readonly promises: { what: Promised; id: string }[] = [];
  /** What people were shown of what they had just done themselves. */
  readonly shown: { id: string; status: string }[] = [];
  /** Pages that were paid and of which the gateway does not tell. */
  untoldPages = 0;
  private readonly underway = new Map<symbol, string>();
  private asked: ((request: string) => void)[] = [];
  private answeredNow: ((request: string) => void)[] = [];
  private waitingForPayment: { since: number; hear: (at: number) => void }[] = [];

  /** Notes that a request was sent. @returns notes how it was answered */
  ask(request: string): (answer: Answer) => void {
    const key = Symbol(request);
    const askedAt = Date.now();
    this.underway.set(key, request);
    for (const hear of this.asked.splice(0)) hear(request);
    return (answer) => {
      this.underway.delete(key);
      if (answer.status !== 0) for (const hear of this.answeredNow.splice(0)) hear(request);
      if (request === 'pay' && answer.status === 200) this.paid(askedAt);
      this.count(request, answer);
    };
  }

  promise(what: Promised, id: string): void {
    this.promises.push({ what, id });
  }

  /** Takes back 'nothing_charged': the client has tried again. */
  reopen(remittanceId: string): void {
    const at = this.promises.findIndex(({ what, id }) => what === 'nothing_charged' && id === remittanceId);
    if (at >= 0) this.promises.splice(at, 1);
  }

  /** Resolves when a request of this kind is sent next. */
  async next(request: string): Promise<void> {
    while ((await new Promise<string>((hear) => this.asked.push(hear))) !== request);
  }

  /** Resolves when a request of this kind is answered next. */
  async answered(request: string): Promise<void> {
    while ((await new Promise<string>((hear) => this.answeredNow.push(hear))) !== request);
  }

  /** Resolves with the moment at which a payment that was asked for after this one is answered with 200. */
  paidAfter(since: number): Promise<number> {
    return new Promise((hear) => this.waitingForPayment.push({ since, hear }));
  }

  private paid(askedAt: number): void {
    const isHeard = ({ since }: { since: number }) => askedAt >= since;
    for (const { hear } of this.waitingForPayment.filter(isHeard)) hear(Date.now());
    this.waitingForPayment = this.waitingForPayment.filter((one) => !isHeard(one));
  }

  /** An answer was not what its documentation says. */
  misunderstood(request: string, { name, message }: Error): void {
    this.faults.push({ request, status: 200, code: name, detail: message, at: new Date().toISOString() });
  }

  /** Requests that wait for an answer, for people: '2 pay, 1 look'. */
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
