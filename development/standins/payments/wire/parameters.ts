/** Reads typed form parameters. Refuses what Stripe refuses, and names the parameter. */
import { invalidRequest } from './errors.js';
import type { FormMap, FormValue } from './form.js';

export class Parameters {
  constructor(
    readonly values: FormMap,
    private readonly prefix = '',
  ) {}

  /** Refuses parameters that are not in the list. */
  only(names: readonly string[]): void {
    const unknown = Object.keys(this.values).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const param = this.name(unknown);
    throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }

  /** Returns the full bracketed name of a parameter. */
  name(name: string): string {
    return this.prefix === '' ? name : `${this.prefix}[${name}]`;
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  /** Returns a text. An empty text counts as absent, because that is how a form unsets a field. */
  string(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string')
      throw invalidRequest(`Invalid string: ${this.name(name)}`, { param: this.name(name) });
    return value;
  }

  required(name: string): string {
    const value = this.string(name);
    if (value !== undefined) return value;
    const param = this.name(name);
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }

  integer(name: string, minimum: number): number | undefined {
    const text = this.string(name);
    if (text === undefined) return undefined;
    const details = { code: 'parameter_invalid_integer', param: this.name(name) };
    if (!/^-?\d{1,15}$/.test(text)) throw invalidRequest(`Invalid integer: ${text}`, details);
    const value = Number(text);
    if (value >= minimum) return value;
    throw invalidRequest(`This value must be greater than or equal to ${minimum}.`, details);
  }

  boolean(name: string): boolean | undefined {
    const text = this.string(name);
    if (text === undefined) return undefined;
    if (text === 'true' || text === 'false') return text === 'true';
    throw invalidRequest(`Invalid boolean: ${text}`, { param: this.name(name) });
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.string(name);
    if (text === undefined) return undefined;
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    throw invalidRequest(`Invalid ${this.name(name)}: must be one of ${allowed.join(', ')}`, {
      param: this.name(name),
    });
  }

  /** Returns a nested map; undefined when it is absent or unset. */
  map(name: string): Parameters | undefined {
    const value = this.values[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string' || Array.isArray(value)) {
      throw invalidRequest('Invalid object', { param: this.name(name) });
    }
    return new Parameters(value, this.name(name));
  }

  /** Returns a list of maps. */
  maps(name: string): Parameters[] {
    return this.list(name).map((value, index) => {
      if (typeof value === 'string' || Array.isArray(value)) {
        throw invalidRequest('Invalid object', { param: this.name(name) });
      }
      return new Parameters(value, `${this.name(name)}[${index}]`);
    });
  }

  /** Returns a list of texts. */
  strings(name: string): string[] {
    return this.list(name).map((value) => {
      if (typeof value === 'string') return value;
      throw invalidRequest(`Invalid array: ${this.name(name)}`, { param: this.name(name) });
    });
  }

  private list(name: string): FormValue[] {
    const value = this.values[name];
    if (value === undefined || value === '') return [];
    if (!Array.isArray(value)) throw invalidRequest('Invalid array', { param: this.name(name) });
    return value;
  }
}
