/** Phones and the messages that reached them, in memory and as JSON lines on disk. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';

export type Platform = 'ios' | 'android';
export type Environment = 'production' | 'sandbox';

/**
 * A phone that was created through the control port. The gateways also accept tokens that belong to no phone, in any
 * environment, because people try out made-up tokens.
 */
export interface Phone {
  token: string;
  platform: Platform;
  environment: Environment;
  /** When the app was removed; null while it is installed. */
  removed_at: string | null;
}

export interface ArrivedMessage {
  seq: number;
  at: string;
  platform: Platform;
  environment: Environment;
  token: string;
  /** The message's id at the gateway. */
  id: string;
  collapse_id: string | null;
  title: string;
  body: string;
  badge: number | null;
  data: Record<string, unknown>;
}

type Line = { phone: Phone } | { arrived: ArrivedMessage };

export class Phones {
  private readonly phonesByToken = new Map<string, Phone>();
  private readonly messages: ArrivedMessage[] = [];

  /** @param file file for phones and messages, so that they survive a restart; absent to keep them in memory only */
  constructor(private readonly file?: string) {
    for (const line of file ? linesOf(file) : []) this.apply(line);
  }

  make(platform: Platform, environment: Environment): Phone {
    const token = platform === 'ios' ? randomBytes(32).toString('hex') : `fcm:${randomBytes(60).toString('base64url')}`;
    return this.write({ phone: { token, platform, environment, removed_at: null } }).phone;
  }

  /** Removes the app from a phone. @returns null when there is no such phone */
  remove(token: string): Phone | null {
    const phone = this.phonesByToken.get(token);
    return phone ? this.write({ phone: { ...phone, removed_at: new Date().toISOString() } }).phone : null;
  }

  find(token: string): Phone | undefined {
    return this.phonesByToken.get(token);
  }

  arrive(message: Omit<ArrivedMessage, 'seq' | 'at'>): ArrivedMessage {
    const numbered = { seq: (this.messages.at(-1)?.seq ?? 0) + 1, at: new Date().toISOString(), ...message };
    return this.write({ arrived: numbered }).arrived;
  }

  /** Lists the arrived messages, oldest first. */
  arrivals(): readonly ArrivedMessage[] {
    return this.messages;
  }

  /**
   * Lists every known token with the messages on its screen. Of messages with the same collapse id, only the last is
   * shown.
   */
  screens(): { token: string; phone: Phone | undefined; shown: ArrivedMessage[] }[] {
    const shown = new Map<string, Map<string, ArrivedMessage>>();
    for (const token of this.phonesByToken.keys()) shown.set(token, new Map());
    for (const message of this.messages) {
      const screen = shown.get(message.token) ?? new Map<string, ArrivedMessage>();
      const collapseKey = message.collapse_id ?? message.id;
      screen.delete(collapseKey);
      shown.set(message.token, screen.set(collapseKey, message));
    }
    return [...shown].map(([token, screen]) => ({
      token,
      phone: this.phonesByToken.get(token),
      shown: [...screen.values()],
    }));
  }

  private write<L extends Line>(line: L): L {
    this.apply(line);
    if (this.file) appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    return line;
  }

  private apply(line: Line): void {
    if ('phone' in line) this.phonesByToken.set(line.phone.token, line.phone);
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

/** The last line may be incomplete if the process was killed while writing. */
function parseLine(line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
