/** People and groups as an office suite has them; what survives a restart lies in a file. */
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
  /** How many more times somebody is not shown, by id. */
  private readonly hidden = new Map<string, number>();
  /** What whoever is made next begins with. */
  private hideNext = 0;

  /** @param file null: nothing survives */
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

  /** Whether there is somebody of this address, shown or not, or a group. */
  has(address: string): boolean {
    return this.groups.includes(address) || this.people.some((one) => one.address === address.toLowerCase());
  }

  /** By id or address; one that is not shown yet counts down by that. */
  find(key: string): Person | null {
    const person = this.people.find(({ id, address }) => id === key || address === key.toLowerCase());
    if (!person) return null;
    const times = this.hidden.get(person.id) ?? 0;
    if (times === 0) return person;
    this.hidden.set(person.id, times - 1);
    return null;
  }

  add(given: NewPerson): Person {
    const person = {
      ...given,
      address: given.address.toLowerCase(),
      id: randomUUID(),
      groups: [],
      is_suspended: false,
    };
    this.people.push(person);
    this.hidden.set(person.id, this.hideNext);
    this.hideNext = 0;
    this.keep();
    return person;
  }

  change(person: Person, fields: Partial<Person>): void {
    Object.assign(person, fields);
    this.keep();
  }

  /** Whoever is made next is not shown to so many requests. */
  hide(times: number): void {
    this.hideNext = times;
  }

  private keep(): void {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(this.people), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
