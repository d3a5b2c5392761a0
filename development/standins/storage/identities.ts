/** Users in the account that owns the buckets. Each user has policies, and at most two access keys. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Credentials } from './signatures.js';

export interface UserKey extends Credentials {
  active: boolean;
}

interface User {
  policies: Record<string, string>;
  keys: UserKey[];
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

/** The provider's own limit of access keys per user. */
export const MAX_KEYS = 2;

export class Identities {
  private readonly users: Map<string, User>;

  /** @param file file for the users */
  constructor(private readonly file: string) {
    const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [string, User][]) : [];
    this.users = new Map(stored);
  }

  user(name: string): User | undefined {
    return this.users.get(name);
  }

  add(name: string): void {
    this.users.set(name, { policies: {}, keys: [] });
    this.save();
  }

  setPolicy(user: User, name: string, document: string): void {
    user.policies[name] = document;
    this.save();
  }

  addKey(user: User): UserKey {
    const letters = randomBytes(8).toString('hex').toUpperCase();
    const key = {
      accessKeyId: `AKIA${letters}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      active: true,
    };
    user.keys.push(key);
    this.save();
    return key;
  }

  removeKey(user: User, accessKeyId: string): void {
    user.keys = user.keys.filter((key) => key.accessKeyId !== accessKeyId);
    this.save();
  }

  /** Disables a key. A disabled key still counts toward the limit of keys per user. */
  disableKey(accessKeyId: string): void {
    for (const { keys } of this.users.values())
      for (const key of keys) if (key.accessKeyId === accessKeyId) key.active = false;
    this.save();
  }

  /** Lists the keys that are active. */
  activeKeys = (): (UserKey & { user: string })[] =>
    [...this.users].flatMap(([user, { keys }]) => keys.filter(({ active }) => active).map((key) => ({ ...key, user })));

  /** Reports whether one of the user's policies allows an action. */
  allows(userName: string, action: string, resource: string): boolean {
    const { policies = {} } = this.users.get(userName) ?? {};
    return Object.values(policies)
      .flatMap((document) => (JSON.parse(document) as { Statement: Statement[] }).Statement)
      .some(
        ({ Effect, Action, Resource }) =>
          Effect === 'Allow' && matchesPattern(Action, action) && matchesPattern(Resource, resource),
      );
  }

  private save(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify([...this.users]), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

const matchesPattern = (patterns: string | string[], text: string): boolean =>
  [patterns].flat().some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(text);
  });
