/** The triggers of the database with what they change, read from Postgres's catalog. */
import { asOwner } from './owner.js';

export interface Trigger {
  table: string;
  name: string;
  /** For example `AFTER INSERT, UPDATE`. */
  when: string;
  function: string;
  /** Tables that it writes, without its own row; 'NOTIFY channel'; 'starts workflow'. Empty: it only refuses, or sets columns of its row. */
  effects: string[];
}

const TRIGGERS = `
  SELECT c.relname AS table, t.tgname AS name, p.proname AS function, t.tgtype AS type
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE NOT t.tgisinternal AND n.nspname = 'public' AND t.tgparentid = 0 ORDER BY 1, 2`;

const FUNCTIONS = `
  SELECT p.proname AS name, p.prosrc AS source FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'app'`;

/** Bits of pg_trigger.tgtype (Postgres: src/include/catalog/pg_trigger.h). */
const EVENTS: [bit: number, event: string][] = [
  [4, 'INSERT'],
  [16, 'UPDATE'],
  [8, 'DELETE'],
];
const whenOf = (type: number): string =>
  `${type & 2 ? 'BEFORE' : 'AFTER'} ${EVENTS.flatMap(([bit, event]) => (type & bit ? [event] : [])).join(', ')}`;

/** Reads all triggers of tables, in order of table and name. */
export async function readTriggers(): Promise<Trigger[]> {
  const triggers = await asOwner<{ table: string; name: string; function: string; type: number }>(TRIGGERS);
  const functions = await asOwner<{ name: string; source: string }>(FUNCTIONS);
  const sources = new Map(functions.map(({ name, source }) => [name, source.replaceAll(/--.*$/gm, '')]));
  return triggers.map(({ type, ...trigger }) => ({
    ...trigger,
    when: whenOf(type),
    effects: [...effectsOf(trigger.function, sources)].toSorted(),
  }));
}

/** Returns the effects of a function and of the functions that it calls. Triggers of the tables that it writes are not followed. */
function effectsOf(name: string, sources: Map<string, string>, seen = new Set<string>()): Set<string> {
  const effects = new Set<string>();
  const source = sources.get(name);
  if (source === undefined || seen.has(name)) return effects;
  seen.add(name);
  for (const [, table] of source.matchAll(
    /\b(?:INSERT INTO|(?<!FOR (?:NO KEY )?)UPDATE|DELETE FROM|MERGE INTO)\s+(?:ONLY\s+)?([a-z_]+)/g,
  ))
    if (table && !['set', 'of'].includes(table.toLowerCase())) effects.add(table);
  for (const [, workflow] of source.matchAll(/app\.enqueue\('(\w+)'/g)) effects.add(`starts ${workflow}`);
  for (const [, channel] of source.matchAll(/pg_notify\('(\w+)'/g)) effects.add(`NOTIFY ${channel}`);
  for (const [, called = ''] of source.matchAll(/\bapp\.(\w+)\s*\(/g))
    if (called !== 'enqueue') for (const effect of effectsOf(called, sources, seen)) effects.add(effect);
  return effects;
}
