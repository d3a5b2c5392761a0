/** The one realm that test files share: leftovers of a file are removed before the next. */
import { readFileSync, writeFileSync, existsSync } from 'node:fs';

const NATIVE = {
  'jest-native-promise': Promise,
  'jest-native-now': Date.now.bind(Date),
  'jest-native-read-file': readFileSync,
  'jest-native-write-file': writeFileSync,
  'jest-native-exists-file': existsSync,
};

/** Jest's own parts look for these where test files run. */
for (const [name, value] of Object.entries(NATIVE)) Object.defineProperty(globalThis, Symbol.for(name), { value });

/** Remembers the state of the realm. @returns a function that restores it */
export function keepRealm(): () => void {
  const globals = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]),
  );
  const environment = { ...process.env };
  const processes = { exit: Object.getOwnPropertyDescriptor(process, 'exit') };
  const dates = { now: Object.getOwnPropertyDescriptor(Date, 'now') };
  const listeners = new Map(process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]));
  return () => {
    for (const key of Reflect.ownKeys(globalThis)) {
      const before = globals.get(key);
      if (!before) Reflect.deleteProperty(globalThis, key);
      else if (before.configurable && 'value' in before) Object.defineProperty(globalThis, key, before);
    }
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    restore(process, processes);
    restore(Date, dates);
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name))
        if (!listeners.get(name)?.has(listener)) process.removeListener(name, listener as () => void);
  };
}

function restore(owner: object, properties: Record<string, PropertyDescriptor | undefined>): void {
  for (const [name, descriptor] of Object.entries(properties))
    if (descriptor) Object.defineProperty(owner, name, descriptor);
}
