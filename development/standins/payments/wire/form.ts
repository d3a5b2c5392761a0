/** Form encoding with nested brackets: `a[b][0]=c`. */

export type FormValue = string | FormValue[] | FormMap;
export interface FormMap {
  [name: string]: FormValue;
}

/** Returns the path of a bracketed field name: `a[b][]` is `['a', 'b', '']`. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  return [name.slice(0, open), ...[...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '')];
}

/** Converts each map whose names are all indices (`0`, `1`, …) to an array. */
function indexedToArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, indexedToArrays(inner)] as const);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))) return entries.map(([, inner]) => inner);
  // The map has no prototype, so that a field named `__proto__` is treated like any other field.
  return Object.assign(Object.create(null) as FormMap, Object.fromEntries(entries));
}

/** Parses a body or a query string. */
export function parseForm(text: string): FormMap {
  const root = Object.create(null) as FormMap;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    let node = root;
    for (const [depth, segment] of path.entries()) {
      const key = segment === '' ? String(Object.keys(node).length) : segment;
      if (depth === path.length - 1) {
        node[key] = value;
        continue;
      }
      const next = node[key];
      const child = typeof next === 'object' && !Array.isArray(next) ? next : (Object.create(null) as FormMap);
      node[key] = child;
      node = child;
    }
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, indexedToArrays(value)]));
}

/** Returns the same text for the same parameters, independent of their order. */
export function canonical(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? '')}`).join(',')}}`;
}
