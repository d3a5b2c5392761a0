/** People and groups of an office suite, stored in a file so that they survive a restart. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface Person {
  id: string;
  address: string;
  externalId: string | null;
  first_name: string;
  last_name: string;
  unit: string | null;
  password: string;
  must_change_password: boolean;
  is_suspended: boolean;
  groups: string[];
}

export type NewPerson = Omit<Person, 'id' | 'groups' | 'is_suspended'>;

export class Directory {
  private readonly people: Person[];
  /** Number of further requests for which a person is not found, by person id. */
  private readonly hidden = new Map<string, number>();
  /** Number of requests for which the next created person is hidden. */
  private hideNext = 0;

  /** @param file file for the people; null keeps them in memory only */
  constructor(
    readonly domain: string,
    readonly groups: readonly string[],
    private readonly file: string | null,
  ) {
    this.people = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Person[]) : [];
  }

  all(): readonly Person[] {
    return this.people;
  }

  /** Reports whether the address is taken by a person (hidden or not) or a group. */
  has(address: string): boolean {
    return this.groups.includes(address) || this.people.some((one) => one.address === address.toLowerCase());
  }

  /**
   * Finds a person by id or address. A hidden person is not found; each such call lowers the number of requests for
   * which the person stays hidden.
   */
  find(key: string): Person | null {
    const person = this.people.find(({ id, address }) => id === key || address === key.toLowerCase());
    if (!person) return null;
    const times = this.hidden.get(person.id) ?? 0;
    if (times === 0) return person;
    this.hidden.set(person.id, times - 1);
    return null;
  }

  add(fields: NewPerson): Person {
    const person = {
      ...fields,
      address: fields.address.toLowerCase(),
      id: randomUUID(),
      groups: [],
      is_suspended: false,
    };
    this.people.push(person);
    this.hidden.set(person.id, this.hideNext);
    this.hideNext = 0;
    this.save();
    return person;
  }

  change(person: Person, fields: Partial<Person>): void {
    Object.assign(person, fields);
    this.save();
  }

  /** Hides the next created person from the given number of requests. */
  hide(times: number): void {
    this.hideNext = times;
  }

  private save(): void {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(this.people), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
