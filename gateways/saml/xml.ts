/**
 * A parser for the subset of XML that SAML needs: elements, attributes and text. It reads the characters once, without
 * recursion, so that unsafe input is refused before a general parser sees it. Entities, document types and processing
 * instructions are refused, and so are comments in messages, because a comment can split a text.
 */

/** Limits of a document. No message of an identity provider is as large. */
const LIMITS = { characters: 262_144, depth: 40, elements: 2_000, attributes: 60, allAttributes: 6_000 } as const;
const METADATA_CHARACTERS = 1_000_000;

export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
}

export interface Element {
  /** The name without its prefix. */
  name: string;
  /** The namespace; '' if the element has none. */
  namespace: string;
  /** Attribute values with resolved references, by the name of the attribute as it is written. */
  attributes: Readonly<Record<string, string>>;
  children: Element[];
  /** The text of the element itself, between and around its children. */
  text: string;
}

export interface ReadOptions {
  /** Whether comments and a longer document are allowed; messages have neither. */
  metadata?: boolean;
}

interface OpenElement {
  element: Element;
  /** The name with its prefix, which the end tag must repeat. */
  tag: string;
  prefixes: Readonly<Record<string, string>>;
}

const NAME = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const START = new RegExp(String.raw`<(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`, 'y');
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');
const END = new RegExp(`</(${NAME})\\s*>`, 'y');
const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i;
// oxlint-disable-next-line no-control-regex -- these are the characters that XML 1.0 does not allow
const INVALID_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/**
 * Parses a document.
 * @returns its root element
 * @throws XmlRefused with the reason
 */
export function readXml(source: string, { metadata = false }: ReadOptions = {}): Element {
  const maxCharacters = metadata ? METADATA_CHARACTERS : LIMITS.characters;
  if (source.length > maxCharacters) throw new XmlRefused(`The document has more than ${maxCharacters} characters.`);
  if (INVALID_CHARACTER.test(source)) throw new XmlRefused('The document has characters that XML does not allow.');
  const text = source.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  return new Reader(text, metadata).read();
}

class Reader {
  private readonly open: OpenElement[] = [];
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
      this.readText(this.text.slice(this.at, next < 0 ? undefined : next));
      if (next < 0) break;
      this.at = next;
      if (this.text.startsWith('</', next)) this.readEnd();
      else if (this.comments && this.text.startsWith('<!--', next)) this.skipComment();
      else this.readStart();
    }
    if (!this.root || this.open.length > 0) throw new XmlRefused('The document is not complete.');
    return this.root;
  }

  private readText(raw: string): void {
    const parent = this.open.at(-1);
    if (parent) parent.element.text += resolve(raw);
    else if (raw.trim() !== '') throw new XmlRefused('There is text outside of the document.');
  }

  private readStart(): void {
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
    const started = this.createElement(tag, attributes);
    const parent = this.open.at(-1);
    if (parent) parent.element.children.push(started.element);
    else if (this.root) throw new XmlRefused('There is more than one document.');
    else this.root = started.element;
    if (slash === '') this.open.push(started);
    this.at += whole.length;
  }

  private createElement(tag: string, attributes: Record<string, string>): OpenElement {
    const outer = this.open.at(-1)?.prefixes ?? { xml: XML_NAMESPACE, '': '' };
    const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
    const own = Object.fromEntries(declared.map(([name, value]) => [name.slice(6), value]));
    const prefixes = declared.length === 0 ? outer : { ...outer, ...own };
    const [prefix, name] = tag.includes(':') ? (tag.split(':') as [string, string]) : ['', tag];
    const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
    if (namespace === undefined) throw new XmlRefused('A prefix has no namespace.');
    return { element: { name, namespace, attributes, children: [], text: '' }, tag, prefixes };
  }

  private readEnd(): void {
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
    if (name in attributes) throw new XmlRefused('An element has the same attribute twice.');
    attributes[name] = resolve(double ?? single ?? '').replaceAll(/[\t\n]/g, ' ');
  }
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves the five predefined entities of XML and numeric character references. */
function resolve(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}))?(;?)/gi, (_all, decimal, hex, name, semicolon) => {
    if (name !== undefined && semicolon === ';' && Object.hasOwn(ENTITIES, name as string)) {
      return ENTITIES[name as string] as string;
    }
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const character = semicolon === ';' && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
    if (INVALID_CHARACTER.test(character)) throw new XmlRefused('The document refers to an undefined entity.');
    return character;
  });
}

/** Returns the children with a name and a namespace. */
export const childrenOf = (parent: Element, namespace: string, name: string): Element[] =>
  parent.children.filter((child) => child.name === name && child.namespace === namespace);

/** Escapes text for an element or an attribute. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);
