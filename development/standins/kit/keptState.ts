/** What the stand-in of a card processor remembers, by account; in a file where it is to survive a restart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Moved {
  kind: 'capture' | 'refund';
  payment: string;
  amount_cents: number;
  at: string;
}

/** Who hears events. */
export interface Hearer {
  /** Null: of every account. */
  account: string | null;
  url: string;
}

/** What any of them remembers beside its own objects. */
export interface Common<Endpoint extends Hearer> {
  /** Accounts whose secret opens nothing any more. */
  revoked: string[];
  endpoints: Endpoint[];
  ledger: Moved[];
}

export class KeptState<Kept extends Common<Hearer>> {
  kept: Kept;
  private readonly file: string | null;

  /** @param dataDir state survives a restart when given, in the file of this name */
  constructor(
    private readonly empty: () => Kept,
    name: string,
    dataDir?: string,
  ) {
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.file = dataDir ? path.join(dataDir, `${name}.json`) : null;
    const before = this.file && existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Kept) : {};
    // What was kept by an older stand-in lacks what that did not know.
    this.kept = { ...empty(), ...before };
  }

  reset(): void {
    this.kept = this.empty();
    this.save();
  }

  /** Called before an answer is sent: what was answered is never forgotten. */
  save(): void {
    if (this.file) writeFileSync(this.file, JSON.stringify(this.kept));
  }

  /** An account's secret opens nothing any more, or does again. */
  revoke(account: string, revoked: boolean): void {
    const others = this.kept.revoked.filter((one) => one !== account);
    this.kept.revoked = revoked ? [...others, account] : others;
  }

  protected note(kind: Moved['kind'], payment: string, cents: number): void {
    this.kept.ledger.push({ kind, payment, amount_cents: cents, at: new Date().toISOString() });
  }
}
