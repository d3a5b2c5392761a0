/** Phones and what reached them: in memory, and as JSON lines on disk. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';

export type Platform = 'ios' | 'android';
export type Environment = 'production' | 'sandbox';

/** One that was made here. A token that was not is taken too, in any environment: whoever tries something makes one up. */
export interface Phone {
  token: string;
  platform: Platform;
  environment: Environment;
  /** When the app was removed; null while it is there. */
  removed_at: string | null;
}

export interface Arrived {
  seq: number;
  at: string;
  platform: Platform;
  environment: Environment;
  token: string;
  /** What the gateway calls it. */
  id: string;
  collapse_id: string | null;
  title: string;
  body: string;
  badge: number | null;
  data: Record<string, unknown>;
}

type Line = { phone: Phone } | { arrived: Arrived };

export class Phones {
  private readonly known = new Map<string, Phone>();
  private readonly messages: Arrived[] = [];

  /** @param file where they survive a restart; absent: nowhere */
  constructor(private readonly file?: string) {
    for (const line of file ? linesOf(file) : []) this.keep(line);
  }

  make(platform: Platform, environment: Environment): Phone {
    const token = platform === 'ios' ? randomBytes(32).toString('hex') : `fcm:${randomBytes(60).toString('base64url')}`;
    return this.write({ phone: { token, platform, environment, removed_at: null } }).phone;
  }

  /** Removes the app from it. @returns null when there is no such phone */
  remove(token: string): Phone | null {
    const phone = this.known.get(token);
    return phone ? this.write({ phone: { ...phone, removed_at: new Date().toISOString() } }).phone : null;
  }

  find(token: string): Phone | undefined {
    return this.known.get(token);
  }

  arrive(message: Omit<Arrived, 'seq' | 'at'>): Arrived {
    const numbered = { seq: (this.messages.at(-1)?.seq ?? 0) + 1, at: new Date().toISOString(), ...message };
    return this.write({ arrived: numbered }).arrived;
  }

  /** What arrived, oldest first. */
  arrivals(): readonly Arrived[] {
    return this.messages;
  }

  /** Every token that is known, and what its screen shows: of messages that collapse, the last. */
  screens(): { token: string; phone: Phone | undefined; shown: Arrived[] }[] {
    const shown = new Map<string, Map<string, Arrived>>();
    for (const token of this.known.keys()) shown.set(token, new Map());
    for (const message of this.messages) {
      const screen = shown.get(message.token) ?? new Map<string, Arrived>();
      const place = message.collapse_id ?? message.id;
      screen.delete(place);
      shown.set(message.token, screen.set(place, message));
    }
    return [...shown].map(([token, screen]) => ({ token, phone: this.known.get(token), shown: [...screen.values()] }));
  }

  private write<L extends Line>(line: L): L {
    this.keep(line);
    if (this.file) appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    return line;
  }

  private keep(line: Line): void {
    if ('phone' in line) this.known.set(line.phone.token, line.phone);
    else this.messages.push(line.arrived);
  }
}

function linesOf(file: string): Line[] {
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(parseLine);
  } catch {
    return [];
  }
}

/** The last line may be half of one, when the process was killed while it wrote. */
function parseLine(line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
