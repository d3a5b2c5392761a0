/**
 * XML as SAML needs it, and nothing more: elements, attributes and text. One pass over the characters, without
 * recursion, so that what is refused is refused before a general parser sees it. There are no entities to expand, no
 * document types, no processing instructions, and no comments that could cut a text in two.
 */

/** Deeper or larger than any message of an identity provider. */
const LIMITS = { characters: 262_144, depth: 40, elements: 2_000, attributes: 60, allAttributes: 6_000 } as const;
const METADATA_CHARACTERS = 1_000_000;

export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
}

export interface Element {
  /** Without its prefix. */
  name: string;
  /** '' for none. */
  namespace: string;
  /** By name as written; the value with its references resolved. */
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  /** Its own text, between and around the children. */
  text: string;
}

export interface ReadOptions {
  /** Metadata files have comments, and may be longer; a message has none. */
  metadata?: boolean;
}

interface Open {
  element: Element;
  /** Name with its prefix, as its end has to repeat it. */
  tag: string;
  prefixes: Readonly<Record<string, string>>;
}

const NAME = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const START = new RegExp(String.raw`<(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`, 'y');
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');
const END = new RegExp(`</(${NAME})\\s*>`, 'y');
const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i;
// oxlint-disable-next-line no-control-regex -- these are what XML 1.0 has no place for
const NO_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/** @returns the document's element. @throws XmlRefused that says why */
export function readXml(given: string, { metadata = false }: ReadOptions = {}): Element {
  const longest = metadata ? METADATA_CHARACTERS : LIMITS.characters;
  if (given.length > longest) throw new XmlRefused(`The document has more than ${longest} characters.`);
  if (NO_CHARACTER.test(given)) throw new XmlRefused('The document has characters that XML does not allow.');
  const text = given.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  return new Reader(text, metadata).read();
}

class Reader {
  private readonly open: Open[] = [];
  private root: Element | null = null;
  private elements = 0;
  private attributes = 0;
  private at: number;

  constructor(
    private readonly text: string,
    private readonly comments: boolean,
  ) {
    this.at = DECLARATION.exec(text)?.[0].length ?? 0;
  }

  read(): Element {
    for (;;) {
      const next = this.text.indexOf('<', this.at);
      this.takeText(this.text.slice(this.at, next < 0 ? undefined : next));
      if (next < 0) break;
      this.at = next;
      if (this.text.startsWith('</', next)) this.takeEnd();
      else if (this.comments && this.text.startsWith('<!--', next)) this.skipComment();
      else this.takeStart();
    }
    if (!this.root || this.open.length > 0) throw new XmlRefused('The document is not complete.');
    return this.root;
  }

  private takeText(raw: string): void {
    const parent = this.open.at(-1);
    if (parent) parent.element.text += resolve(raw);
    else if (raw.trim() !== '') throw new XmlRefused('There is text outside of the document.');
  }

  private takeStart(): void {
    const { text, at } = this;
    if (text[at + 1] === '!') throw new XmlRefused('Document types, entities, comments and CDATA are not accepted.');
    if (text[at + 1] === '?') throw new XmlRefused('Processing instructions are not accepted.');
    START.lastIndex = at;
    const match = START.exec(text);
    if (!match) throw new XmlRefused('The document is not well-formed.');
    const [whole, tag = '', raw = '', slash] = match;
    if (++this.elements > LIMITS.elements) throw new XmlRefused(`There are more than ${LIMITS.elements} elements.`);
    if (this.open.length >= LIMITS.depth) throw new XmlRefused(`It is nested deeper than ${LIMITS.depth} elements.`);
    const attributes = attributesIn(raw);
    this.attributes += Object.keys(attributes).length;
    if (this.attributes > LIMITS.allAttributes) throw new XmlRefused('There are too many attributes.');
    const opened = this.make(tag, attributes);
    const parent = this.open.at(-1);
    if (parent) parent.element.children.push(opened.element);
    else if (this.root) throw new XmlRefused('There is more than one document.');
    else this.root = opened.element;
    if (slash === '') this.open.push(opened);
    this.at += whole.length;
  }

  private make(tag: string, attributes: Record<string, string>): Open {
    const outer = this.open.at(-1)?.prefixes ?? { xml: XML_NAMESPACE, '': '' };
    const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
    const own = Object.fromEntries(declared.map(([name, value]) => [name.slice(6), value]));
    const prefixes = declared.length === 0 ? outer : { ...outer, ...own };
    const [prefix, name] = tag.includes(':') ? (tag.split(':') as [string, string]) : ['', tag];
    const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
    if (namespace === undefined) throw new XmlRefused('A prefix has no namespace.');
    return { element: { name, namespace, attributes, children: [], text: '' }, tag, prefixes };
  }

  private takeEnd(): void {
    END.lastIndex = this.at;
    const match = END.exec(this.text);
    if (!match || this.open.pop()?.tag !== match[1]) throw new XmlRefused('The document is not well-formed.');
    this.at += match[0].length;
  }

  private skipComment(): void {
    const end = this.text.indexOf('-->', this.at + 4);
    if (end < 0) throw new XmlRefused('The document is not well-formed.');
    this.at = end + 3;
  }
}

function attributesIn(raw: string): Record<string, string> {
  const attributes = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const [, name = '', double, single] of raw.matchAll(ATTRIBUTE)) {
    if (++count > LIMITS.attributes) throw new XmlRefused(`An element has more than ${LIMITS.attributes} attributes.`);
    if (name in attributes) throw new XmlRefused('An attribute is there twice.');
    attributes[name] = resolve(double ?? single ?? '').replaceAll(/[\t\n]/g, ' ');
  }
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with the five references that XML itself defines, and those by number, resolved. */
function resolve(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}))?(;?)/gi, (_all, decimal, hex, name, semicolon) => {
    if (name !== undefined && semicolon === ';' && Object.hasOwn(ENTITIES, name as string)) {
      return ENTITIES[name as string] as string;
    }
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const character = semicolon === ';' && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
    if (NO_CHARACTER.test(character)) throw new XmlRefused('The document refers to an entity that is not there.');
    return character;
  });
}

/** Its children of that name. */
export const childrenOf = (parent: Element, namespace: string, name: string): Element[] =>
  parent.children.filter((child) => child.name === name && child.namespace === namespace);

/** Text as it may stand in an element or an attribute. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);
