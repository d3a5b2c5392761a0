/** State of a card processor's stand-in by account, stored in a file if it must survive a restart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Movement {
  kind: 'capture' | 'refund';
  payment: string;
  amount_cents: number;
  at: string;
}

export interface WebhookEndpoint {
  /** Account whose events are sent; null for the events of all accounts. */
  account: string | null;
  url: string;
}

/** The state that all card processor stand-ins share. */
export interface CommonState<Endpoint extends WebhookEndpoint> {
  /** Accounts whose secret key is revoked. */
  revoked: string[];
  endpoints: Endpoint[];
  ledger: Movement[];
}

export class StoredState<Kept extends CommonState<WebhookEndpoint>> {
  kept: Kept;
  private readonly file: string | null;

  /** @param name file name of the state @param dataDir folder for the state, so that it survives a restart */
  constructor(
    private readonly empty: () => Kept,
    name: string,
    dataDir?: string,
  ) {
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.file = dataDir ? path.join(dataDir, `${name}.json`) : null;
    const stored = this.file && existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Kept) : {};
    // A file that an older version wrote may lack newer fields. These fields get their initial values.
    this.kept = { ...empty(), ...stored };
  }

  reset(): void {
    this.kept = this.empty();
    this.save();
  }

  /** Writes the state to its file. Call it before a response is sent, so that every acknowledged change is stored. */
  save(): void {
    if (this.file) writeFileSync(this.file, JSON.stringify(this.kept));
  }

  /** Revokes an account's secret key, or restores it. */
  revoke(account: string, revoked: boolean): void {
    const others = this.kept.revoked.filter((one) => one !== account);
    this.kept.revoked = revoked ? [...others, account] : others;
  }

  protected note(kind: Movement['kind'], payment: string, cents: number): void {
    this.kept.ledger.push({ kind, payment, amount_cents: cents, at: new Date().toISOString() });
  }
}
